package dev.singleflight;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Who may start a flight. The engine's state, the flights not yet settled and the stuck workers of settled ones share
 * one word, so that "is it running, is there room, take it" is one step: nothing starts after a stop has seen zero
 * flights.
 */
final class Admission {

    private static final int STUCK_SHIFT = 31;
    private static final int STATE_SHIFT = 62;
    private static final long COUNT = (1L << STUCK_SHIFT) - 1;

    private final int maxFlights;

    /** From the low end: 31 bits of flights, 31 bits of stuck workers, 2 bits of state. */
    private final AtomicLong word = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    Admission(int maxFlights) {
        this.maxFlights = maxFlights;
    }

    EngineSnapshot.State state() {
        return EngineSnapshot.State.values()[(int) (word.get() >>> STATE_SHIFT)];
    }

    /** Takes a permit, for callers from outside only while the engine runs. */
    boolean admit(boolean insideAttempt) {
        for (; ; ) {
            long now = word.get();
            if (!accepts(now, insideAttempt) || flights(now) + stuck(now) >= maxFlights) {
                return false;
            }
            if (word.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** Whether callers are received at all. */
    boolean accepts(boolean insideAttempt) {
        return accepts(word.get(), insideAttempt);
    }

    private static boolean accepts(long word, boolean insideAttempt) {
        long state = word >>> STATE_SHIFT;
        return state == 0 || state == 1 && insideAttempt;
    }

    /**
     * Gives the permit of a flight back, save one for each worker of it that is stuck.
     *
     * @return whether this was the last flight of an engine that is not running
     */
    boolean settled(int stuckWorkers) {
        long now = word.addAndGet(((long) stuckWorkers << STUCK_SHIFT) - 1);
        if (now >>> STATE_SHIFT == 0) {
            return false;
        }
        signal();
        return flights(now) == 0;
    }

    /** Gives back the permit of a stuck worker of a settled flight. */
    void unstuck() {
        word.addAndGet(-1L << STUCK_SHIFT);
    }

    int flights() {
        return (int) flights(word.get());
    }

    int maxFlights() {
        return maxFlights;
    }

    void become(EngineSnapshot.State state) {
        word.updateAndGet(now -> now & ~(3L << STATE_SHIFT) | (long) state.ordinal() << STATE_SHIFT);
        signal();
    }

    /** Waits while the condition holds, looking again whenever something is settled or the state changes. */
    void awaitWhile(BooleanSupplier condition, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (condition.getAsBoolean()) {
                changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long flights(long word) {
        return word & COUNT;
    }

    private static long stuck(long word) {
        return word >>> STUCK_SHIFT & COUNT;
    }
}
