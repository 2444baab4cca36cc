package dev.singleflight;

import dev.singleflight.FlightListener.Result;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A caller without a thread. Whoever claims it, the settlement, its deadline or its own owner, is the one that it hears
 * from.
 */
abstract class AsyncWaiter extends Waiter {

    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(AsyncWaiter.class, "claimed", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final Operation<?, ?> operation;
    final Flight flight;
    final Role role;
    final long start;

    private volatile boolean claimed;

    AsyncWaiter(Operation<?, ?> operation, Flight flight, Role role, long start) {
        this.operation = operation;
        this.flight = flight;
        this.role = role;
        this.start = start;
    }

    /** Waits for the outcome, which may be there already. */
    final void attach() {
        if (!flight.push(this)) {
            settled();
        }
    }

    final boolean claim() {
        return CLAIMED.compareAndSet(this, false, true);
    }

    /** Leaves the flight; the caller has claimed this waiter. */
    final void leave(Result reason) {
        flight.depart();
        flight.sweep();
        operation.books.callEnded(flight.key, role, reason, start);
    }

    @Override
    final boolean isGone() {
        return claimed;
    }

    @Override
    final void settled() {
        if (claim()) {
            operation.books.callEnded(flight.key, role, Result.of(flight.result()), start);
            deliver(flight.result());
        }
    }

    /** Passes on the outcome: a value or a {@link Failure}. */
    abstract void deliver(@Nullable Object result);
}
