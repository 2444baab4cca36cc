package dev.singleflight;

import java.time.Duration;

/**
 * An attempt of the work took longer than its {@code timeout}, and no retry was left. It is the flight's outcome, so every
 * caller gets this same exception. The worker was interrupted; what the work did before stays done.
 */
public final class AttemptTimeoutException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    AttemptTimeoutException(Subject subject, int attempt, Duration timeout, Duration elapsed) {
        super(
                subject + " timed out: attempt " + attempt + " had no result after " + timeout.toMillis() + "ms",
                subject.operation(),
                elapsed,
                null);
    }
}
