package dev.singleflight;

import java.time.Duration;

/**
 * The calling thread was interrupted while it waited, or had its interrupt flag set when it called. Only this caller is
 * concerned; its flag is set again, and the flight goes on for the others.
 */
public final class FlightInterruptedException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    FlightInterruptedException(Subject subject, Duration elapsed) {
        super(
                subject + " lost this caller: its thread was interrupted; the flight goes on",
                subject.operation(),
                elapsed,
                null);
    }
}
