package dev.singleflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One run of the work. Whoever ends it, its own thread, its stage or an {@link #abort}, does so by one step on
 * {@link #executor}, so an interrupt reaches the thread only while the work is on it:
 *
 * <pre>
 * null -> Thread -> ENDED                        the work returned in time
 *         Thread -> stage -> ENDED               asynchronous work; no thread is held
 *         Thread -> INTERRUPTING -> INTERRUPTED  aborted; the thread is stuck until it comes back
 * null -> ENDED                                  aborted before it began: the work never runs
 * </pre>
 *
 * <p>An attempt is also the arrival of the caller that leads: the first attempt of the flight it started.
 */
final class Attempt extends DeadlineQueue.Deadline implements Runnable, Arrival {

    /** Returned by {@link #execute} when there is nothing to report: the attempt is over already, or goes on. */
    static final Object NOTHING = new Object();

    private static final Object INTERRUPTING = new Object();
    private static final Object INTERRUPTED = new Object();
    private static final Object ENDED = new Object();
    private static final VarHandle EXECUTOR;
    private static final VarHandle RUNNER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            EXECUTOR = lookup.findVarHandle(Attempt.class, "executor", Object.class);
            RUNNER = lookup.findVarHandle(Attempt.class, "runner", Runner.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final Flight flight;
    final int number;

    /** Whether it took over from a leader whose interrupt was only guessed; a second guess would be a retry. */
    boolean renewedOnTrust;

    /** The attempt that this one is nested in on its thread; written by that thread before the work begins. */
    @Nullable
    Attempt outer;

    /** The thread as the search for cycles sees it; see {@link #runner(Runner)}. */
    private volatile @Nullable Runner runner;

    private volatile @Nullable Object executor;

    /** Whether the thread was interrupted already when it was aborted; written before {@link #INTERRUPTED} is. */
    private boolean interruptedBefore;

    Attempt(Flight flight, int number) {
        this.flight = flight;
        this.number = number;
    }

    @Override
    public Flight flight() {
        return flight;
    }

    @Override
    public Role role() {
        return Role.LEADER;
    }

    /** Starts the clock of the timeout. */
    void arm() {
        DeadlineQueue timeouts = flight.operation.timeouts;
        if (timeouts != null) {
            timeouts.add(this);
        }
    }

    /** Hands the attempt to a worker. */
    void handOver() {
        if (executor == ENDED) {
            return; // its flight was stopped before it began
        }
        try {
            arm();
            flight.operation.engine.executor.execute(this);
        } catch (Throwable rejected) {
            flight.reject(this, "its executor rejected the work", rejected);
        }
    }

    @Override
    public void run() {
        try {
            Object result = execute();
            if (result != NOTHING) {
                flight.end(this, result);
            }
        } catch (Throwable broken) {
            breakOff();
            flight.reject(this, "its worker broke down", broken);
            throw broken;
        }
    }

    /**
     * The thread that was to execute this has come back without being able to say so: it is out of memory or stack, in
     * the engine. Were it not noted here, the end of the flight would interrupt it for what it is no longer in.
     */
    void breakOff() {
        Object now = executor;
        if (now == Thread.currentThread() || now == INTERRUPTING || now == INTERRUPTED) {
            leave();
        }
    }

    /** Runs the work on this thread and returns its value or a {@link Failure}, if that still counts. */
    @Nullable
    Object execute() {
        if (!EXECUTOR.compareAndSet(this, null, Thread.currentThread())) {
            if (executor == ENDED) {
                disarm(); // aborted before it was armed; the clock of one that an executor runs twice goes on
            }
            return NOTHING;
        }
        Object result;
        Runner entered = Runner.enter(this);
        try {
            result = flight.operation.work(flight.param);
        } catch (Throwable thrown) {
            result = Failure.ofWork(thrown);
        } finally {
            entered.exit(this);
            runner(null);
        }
        if (flight.operation.isAsync() && !(result instanceof Failure)) {
            return hold(result);
        }
        return leave() ? result : NOTHING;
    }

    @Nullable
    Runner runner() {
        return runner;
    }

    /**
     * Notes which thread runs the work, before it begins and after it ends. No fence is needed: an edge that this thread
     * adds later is added under the lock of the search.
     */
    void runner(@Nullable Runner running) {
        RUNNER.setRelease(this, running);
    }

    /** Lets the thread go and waits for the stage. */
    private @Nullable Object hold(@Nullable Object returned) {
        if (!(returned instanceof CompletionStage<?> stage)) {
            return leave()
                    ? Failure.ofWork(new NullPointerException(
                            flight.subject() + " returned no stage: asynchronous work must not return null"))
                    : NOTHING;
        }
        if (!EXECUTOR.compareAndSet(this, Thread.currentThread(), stage)) {
            leave();
            cancel(stage);
            return NOTHING;
        }
        try {
            stage.whenComplete((value, thrown) -> {
                if (EXECUTOR.compareAndSet(this, stage, ENDED)) {
                    disarm();
                    flight.end(this, thrown == null ? value : Failure.ofWork(unwrapped(thrown)));
                }
            });
        } catch (Throwable refused) {
            if (EXECUTOR.compareAndSet(this, stage, ENDED)) {
                disarm();
                return Failure.ofWork(refused);
            }
        }
        return NOTHING;
    }

    /** The thread comes back from the work; returns whether it is in time. */
    private boolean leave() {
        if (EXECUTOR.compareAndSet(this, Thread.currentThread(), ENDED)) {
            disarm();
            return true;
        }
        awaitInterrupt();
        if (!interruptedBefore) {
            Thread.interrupted(); // ours: it was meant for the work, not for what this thread does next
        }
        for (Attempt around = outer; around != null; around = around.outer) {
            around.awaitInterrupt();
            if (around.executor == INTERRUPTED) {
                Thread.currentThread().interrupt(); // that one was meant for the work around this
            }
        }
        executor = ENDED;
        flight.workerCameBack();
        return false;
    }

    private void awaitInterrupt() {
        while (executor == INTERRUPTING) {
            Thread.onSpinWait();
        }
    }

    /**
     * Ends the attempt from outside. The caller has claimed the flight's next state, so nobody misses the result.
     *
     * @return the stage that is to be cancelled once the flight has gone on, since that runs code of the user's
     */
    @Nullable
    CompletionStage<?> abort() {
        disarm();
        for (; ; ) {
            Object now = executor;
            if (now instanceof Thread thread) {
                if (EXECUTOR.compareAndSet(this, now, INTERRUPTING)) {
                    flight.workerIsStuck();
                    interruptedBefore = thread.isInterrupted() && isInnermost();
                    thread.interrupt();
                    executor = INTERRUPTED;
                    return null;
                }
            } else if (now == ENDED || now == INTERRUPTING || now == INTERRUPTED) {
                return null;
            } else if (EXECUTOR.compareAndSet(this, now, ENDED)) {
                return (CompletionStage<?>) now;
            }
        }
    }

    /** Otherwise a flag on the thread may be that of an attempt inside this one, which clears it. */
    private boolean isInnermost() {
        Runner running = runner;
        return running != null && running.isAt(this);
    }

    @Override
    void expired() {
        flight.timeOut(this);
    }

    static void cancel(@Nullable CompletionStage<?> stage) {
        try {
            if (stage != null) {
                stage.toCompletableFuture().cancel(true);
            }
        } catch (Throwable notCancellable) {
            // its late result is dropped all the same
        }
    }

    private static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
