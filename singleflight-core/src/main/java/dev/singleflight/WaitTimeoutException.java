package dev.singleflight;

import java.time.Duration;

/**
 * One caller waited as long as it was willing to. Only this caller is concerned: the flight goes on for the others, and
 * its outcome is retained as usual. A caller that does not wait, by a deadline of zero, starts no flight.
 */
public final class WaitTimeoutException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    WaitTimeoutException(Subject subject, Duration elapsed) {
        super(
                elapsed.isZero()
                        ? subject + " has no retained outcome for a caller that does not wait; nothing was started"
                        : subject + " gave this caller no outcome within its deadline, after " + elapsed.toMillis()
                                + "ms; the flight goes on",
                subject.operation(),
                elapsed,
                null);
    }
}
