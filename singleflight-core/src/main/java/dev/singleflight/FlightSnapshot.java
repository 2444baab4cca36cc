package dev.singleflight;

import java.time.Duration;

/**
 * A flight under way.
 *
 * @param key its key, as the caller gave it: not for eyes that may not see it
 * @param state what goes on
 * @param attempt number of the attempt that runs, or that comes next
 * @param age time since it started
 * @param waiters callers attached to it
 */
public record FlightSnapshot(Object key, State state, int attempt, Duration age, int waiters) {

    /** What goes on in a flight. */
    public enum State {
        /** An attempt runs. */
        RUNNING,
        /** The flight waits for its next attempt. */
        RETRY_DELAY
    }

    static FlightSnapshot of(Flight flight) {
        Object now = flight.state();
        boolean paused = now instanceof Pause;
        int attempt = now instanceof Attempt running
                ? running.number
                : paused ? ((Pause) now).nextAttempt : Math.max(1, flight.attempts());
        return new FlightSnapshot(
                AdHocKey.unwrap(flight.key),
                paused ? State.RETRY_DELAY : State.RUNNING,
                attempt,
                flight.elapsed(),
                flight.attached());
    }

    /** Leaves the key out, so that it does not stand in a log by accident. */
    @Override
    public String toString() {
        return "FlightSnapshot[state=" + state + ", attempt=" + attempt + ", age=" + age + ", waiters=" + waiters + "]";
    }
}
