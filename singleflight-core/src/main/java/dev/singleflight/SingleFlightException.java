package dev.singleflight;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Base of every exception that the engine itself raises. What the work throws is never converted to this type except as
 * the cause of an {@link OperationFailedException}.
 */
public abstract class SingleFlightException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String operation;
    private final Duration elapsed;

    /**
     * Creates the exception.
     *
     * @param message what happened and what to do; never a raw key
     * @param operation name of the operation concerned
     * @param elapsed time from the start of what failed until it failed; zero for a refusal
     * @param cause the cause, or null
     */
    protected SingleFlightException(String message, String operation, Duration elapsed, @Nullable Throwable cause) {
        super(message, cause);
        this.operation = operation;
        this.elapsed = elapsed;
    }

    /**
     * Returns the name of the operation concerned.
     *
     * @return the name as it stands in its definition
     */
    public String getOperation() {
        return operation;
    }

    /**
     * Returns how long the thing that failed had lasted: the caller's wait, the attempt, or the flight.
     *
     * @return zero or more; zero for a call that was refused on arrival
     */
    public Duration getElapsed() {
        return elapsed;
    }

    /** Whether the engine turned a caller away; work that fails with such an exception is never retried. */
    boolean isRefusal() {
        return false;
    }
}
