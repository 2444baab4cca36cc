package dev.singleflight;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one caller got from a flight: a value or a failure, and its own part in it.
 *
 * @param <R> type of the value
 */
public final class Outcome<R extends @Nullable Object> {

    private final Subject subject;
    private final Duration elapsed;
    private final @Nullable Object result;
    private final Role role;
    private final int attempts;
    private final int served;

    Outcome(Operation<?, R> operation, Slot settled, Role role, Duration elapsed) {
        this.subject = operation.subject(settled.key);
        this.elapsed = elapsed;
        this.result = settled.result();
        this.role = role;
        this.attempts = settled.attempts();
        this.served = settled.served();
    }

    /**
     * Returns whether there is a value, null included.
     *
     * @return false if the flight failed
     */
    public boolean isSuccess() {
        return !(result instanceof Failure);
    }

    /**
     * Returns the value, or throws what {@code call} would have thrown.
     *
     * @return the value, which may be null
     * @throws OperationFailedException if the work failed
     * @throws AttemptTimeoutException if the last attempt timed out
     * @throws FlightUnavailableException if the engine stopped, or its executor rejected the work
     */
    public R value() {
        return Casts.unchecked(result instanceof Failure failure ? failure.raise(subject, elapsed) : result);
    }

    /**
     * Returns what the work threw, as it was thrown, or the engine's exception.
     *
     * @return the failure; null on success
     */
    public @Nullable Throwable failure() {
        return result instanceof Failure failure ? failure.throwable() : null;
    }

    /**
     * Returns how this caller came by the outcome.
     *
     * @return the role
     */
    public Role role() {
        return role;
    }

    /**
     * Returns how many attempts the flight made.
     *
     * @return one or more
     */
    public int attempts() {
        return attempts;
    }

    /**
     * Returns how many callers the flight served, its leader included: those attached when it settled.
     *
     * @return the number; callers that left, and those that are given the retained outcome later, are not in it
     */
    public int served() {
        return served;
    }

    @Override
    public String toString() {
        return "Outcome[" + subject.operation() + ", " + (isSuccess() ? "success" : "failure") + ", role=" + role
                + ", attempts=" + attempts + ", served=" + served + "]";
    }
}
