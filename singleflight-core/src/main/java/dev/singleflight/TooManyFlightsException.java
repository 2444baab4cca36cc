package dev.singleflight;

import java.time.Duration;

/**
 * The engine refused to start another flight because {@code maxFlights} are in use. Nothing was started; callers of keys
 * whose flights run already still join them.
 */
public final class TooManyFlightsException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    TooManyFlightsException(Subject subject, int maxFlights) {
        super(
                subject + " was refused: all " + maxFlights + " flights are in use (maxFlights)",
                subject.operation(),
                Duration.ZERO,
                null);
    }

    @Override
    boolean isRefusal() {
        return true;
    }
}
