package dev.singleflight;

import java.time.Duration;

/**
 * One caller waited as long as it was willing to. Only this caller is concerned: the flight goes on for the others, and
 * its outcome is retained as usual.
 */
public final class WaitTimeoutException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    WaitTimeoutException(Subject subject, Duration elapsed) {
        super(
                subject + " gave this caller no outcome within its deadline; the flight goes on",
                subject.operation(),
                elapsed,
                null);
    }
}
