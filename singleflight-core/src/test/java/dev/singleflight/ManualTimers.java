package dev.singleflight;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/** The time of a test: it passes when the test says so, for timers and for the ticker alike. */
final class ManualTimers extends Timers implements LongSupplier {

    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::due).thenComparingLong(Alarm::order));
    private long now;
    private long order;

    /** Runs what timers set off on the thread that advances the time. */
    ManualTimers() {
        this(Runnable::run);
    }

    ManualTimers(Executor workers) {
        super(workers);
    }

    @Override
    synchronized long nanoTime() {
        return now;
    }

    @Override
    public long getAsLong() {
        return nanoTime();
    }

    @Override
    synchronized Future<?> signal(Runnable steps, long nanos) {
        Alarm alarm = new Alarm(now + nanos, order++, steps, new CompletableFuture<>());
        alarms.add(alarm);
        return alarm.future;
    }

    /** Lets time pass, and runs in order what falls due, also what that sets for this span. */
    void advance(java.time.Duration span) {
        long end = nanoTime() + span.toNanos();
        for (Alarm next; (next = next(end)) != null; ) {
            next.steps.run();
        }
    }

    private synchronized Alarm next(long end) {
        Alarm first;
        do {
            first = alarms.peek();
            if (first == null || first.due > end) {
                now = end;
                return null;
            }
            alarms.remove();
        } while (first.future.isCancelled());
        now = Math.max(now, first.due);
        return first;
    }

    /** How many timers are set and not cancelled. */
    synchronized int armed() {
        return (int)
                alarms.stream().filter(alarm -> !alarm.future.isCancelled()).count();
    }

    private record Alarm(long due, long order, Runnable steps, CompletableFuture<?> future) {}
}
