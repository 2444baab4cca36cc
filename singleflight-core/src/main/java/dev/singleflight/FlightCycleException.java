package dev.singleflight;

import java.time.Duration;
import java.util.List;

/**
 * A blocking call from inside an attempt was refused because the flight it would wait for waits, directly or through
 * other flights, for that very attempt. Only the call that would have closed the cycle is refused, at once.
 */
public final class FlightCycleException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    FlightCycleException(Subject subject, List<String> cycle) {
        super(
                subject + " would wait for itself: " + String.join(" -> ", cycle)
                        + "; call it outside this work, or give the inner call another key",
                subject.operation(),
                Duration.ZERO,
                null);
    }

    @Override
    boolean isRefusal() {
        return true;
    }
}
