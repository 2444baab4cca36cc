package dev.singleflight;

import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A flight's state between two attempts. */
final class Pause {

    /** How long an attempt waits for a leader that was interrupted before a worker takes its place. */
    private static final long GRACE = 20_000_000;

    /** The attempt that follows. */
    final int nextAttempt;

    final long nanos;

    private final Flight flight;
    private final long due;

    /** Set once the leader was given its time to come back; used by one timer after the other. */
    private boolean graceOver;

    private volatile @Nullable Future<?> timer;

    Pause(Flight flight, int nextAttempt, long nanos) {
        this.flight = flight;
        this.nextAttempt = nextAttempt;
        this.nanos = nanos;
        this.due = flight.operation.engine.timers.nanoTime() + nanos;
    }

    void arm() {
        schedule(nanos);
    }

    private void schedule(long nanos) {
        try {
            timer = Objects.requireNonNull(flight.operation.engine.timers.schedule(this::over, nanos), "engine closed");
        } catch (Throwable noTimer) {
            flight.stop(flight.unavailable("there is no timer for its retry", noTimer));
        }
        if (flight.state() != this) {
            disarm(); // it went on between the claim of this pause and its timer
        }
    }

    private void over() {
        try {
            if (!graceOver && flight.leaderIsBusy()) {
                graceOver = true;
                schedule(GRACE);
            } else {
                flight.resume(this);
            }
        } catch (Throwable broken) {
            flight.breakDown(broken);
        }
    }

    boolean isOver() {
        return due - flight.operation.engine.timers.nanoTime() <= 0;
    }

    void disarm() {
        Future<?> armed = timer;
        if (armed != null) {
            armed.cancel(false);
        }
    }
}
