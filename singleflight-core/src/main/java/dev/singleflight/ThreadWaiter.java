package dev.singleflight;

import dev.singleflight.FlightListener.Result;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that is blocked in a call. It may be promoted to lead: whoever moves {@link #state} from waiting to an attempt
 * has given that attempt to this thread, and the thread, should it leave instead of running it, gives it on.
 */
final class ThreadWaiter extends Waiter {

    private static final Object WAITING = new Object();
    private static final Object GONE = new Object();
    private static final long NEVER = Long.MIN_VALUE;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ThreadWaiter.class, "state", Object.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Stands for a leader that has left. */
    static final ThreadWaiter NOBODY = gone();

    /** Written by the thread itself, before the waiter is pushed and when it leaves; a late wake-up does no harm. */
    private @Nullable Thread thread;

    /** {@link #WAITING}, {@link #GONE}, or the attempt that this thread leads or shall lead. */
    private volatile Object state;

    private ThreadWaiter(@Nullable Thread thread, Object state) {
        this.thread = thread;
        this.state = state;
    }

    static ThreadWaiter gone() {
        return new ThreadWaiter(null, GONE);
    }

    /**
     * Blocks the calling thread, which is attached to the flight, until the outcome is there or the thread leaves.
     *
     * @param first the attempt to begin with, where this thread has started the flight
     * @param wait nanoseconds until the thread leaves; zero for never
     * @return null with the outcome, or why the thread has left
     */
    static @Nullable Result await(Flight flight, @Nullable Attempt first, long wait) {
        long deadline = wait > 0 ? flight.operation.engine.timers.nanoTime() + wait : NEVER;
        if (first != null && !flight.leaderRun) {
            first.handOver();
        } else if (first != null && !lead(flight, first, deadline)) {
            return Result.INTERRUPTED;
        }
        if (flight.isClosed()) {
            return null;
        }
        ThreadWaiter waiter = new ThreadWaiter(Thread.currentThread(), WAITING);
        if (!flight.push(waiter)) {
            return null;
        }
        if (first != null && flight.leaderRun) {
            flight.leader(waiter);
        }
        return waiter.await(flight, deadline);
    }

    private @Nullable Result await(Flight flight, long deadline) {
        while (!flight.isClosed()) {
            if (state instanceof Attempt promoted) {
                if (!lead(flight, promoted, deadline)) {
                    retire(flight);
                    return Result.INTERRUPTED;
                }
                state = WAITING;
                flight.leader(this);
            } else if (Thread.currentThread().isInterrupted()) {
                return leave(flight) ? Result.INTERRUPTED : null;
            } else if (deadline == NEVER) {
                LockSupport.park(flight);
            } else {
                long rest = deadline - flight.operation.engine.timers.nanoTime();
                if (rest <= 0) {
                    return leave(flight) ? Result.WAIT_TIMEOUT : null;
                }
                LockSupport.parkNanos(flight, rest);
            }
        }
        return null;
    }

    /**
     * Runs attempts on this thread while they follow each other at once.
     *
     * @return false if the thread was interrupted during one of them and has left, its attempt given on
     */
    private static boolean lead(Flight flight, Attempt first, long deadline) {
        try {
            return runFrom(flight, first, deadline);
        } catch (Throwable broken) {
            flight.breakDown(broken);
            throw broken;
        }
    }

    private static boolean runFrom(Flight flight, Attempt first, long deadline) {
        flight.leader(null);
        for (Attempt attempt = first; attempt != null; ) {
            attempt.arm();
            Object result = execute(attempt);
            if (result instanceof Failure failure && isInterrupted(attempt, failure)) {
                boolean onTrust = !isInterrupted() && !failure.isInterruption();
                Thread.currentThread().interrupt();
                Attempt successor = flight.renew(attempt, onTrust);
                if (successor != null && flight.depart()) {
                    flight.leader(NOBODY);
                    flight.assign(successor);
                    return false;
                }
            } else if (result != Attempt.NOTHING) {
                flight.end(attempt, result);
            }
            boolean stays = !flight.isClosed()
                    && !isInterrupted()
                    && (deadline == NEVER || deadline - flight.operation.engine.timers.nanoTime() > 0);
            attempt = stays ? flight.resumeOnLeader() : null;
        }
        return true;
    }

    private static @Nullable Object execute(Attempt attempt) {
        try {
            return attempt.execute();
        } catch (Throwable broken) {
            attempt.breakOff();
            throw broken;
        }
    }

    private static boolean isInterrupted(Attempt attempt, Failure failure) {
        return isInterrupted() || failure.isInterruption() || !attempt.renewedOnTrust && failure.wrapsInterruption();
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private boolean leave(Flight flight) {
        if (!flight.depart()) {
            return false;
        }
        if (retire(flight) instanceof Attempt promoted) {
            flight.assign(promoted);
        }
        return true;
    }

    private Object retire(Flight flight) {
        Object before = STATE.getAndSet(this, GONE);
        thread = null;
        flight.sweep();
        return before;
    }

    /** Makes this thread run the attempt, if it is waiting. */
    boolean promote(Attempt attempt) {
        Thread waiting = thread;
        if (state == WAITING && STATE.compareAndSet(this, WAITING, attempt)) {
            LockSupport.unpark(waiting);
            return true;
        }
        return false;
    }

    @Override
    boolean isGone() {
        return state == GONE;
    }

    @Override
    void settled() {
        LockSupport.unpark(thread);
    }
}
