package dev.singleflight;

import java.time.Duration;

/**
 * The work failed, and no retry was left. Every caller gets an exception of its own, with its own stack trace; the
 * {@linkplain #getCause() cause} is the one that the work threw, shared by all callers and never changed.
 */
public final class OperationFailedException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    OperationFailedException(Subject subject, Duration elapsed, Throwable cause) {
        super(subject + " failed; the cause is what its work threw", subject.operation(), elapsed, cause);
    }
}
