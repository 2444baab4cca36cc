package dev.singleflight;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * There is no engine or no thread to fly with: the engine is stopped or stopping, or its executor rejected the work. As
 * a refusal it concerns this caller only; as the outcome of a flight that was under way every caller gets it.
 */
public final class FlightUnavailableException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    FlightUnavailableException(Subject subject, String reason, Duration elapsed, @Nullable Throwable cause) {
        super(subject + " is unavailable: " + reason, subject.operation(), elapsed, cause);
    }

    @Override
    boolean isRefusal() {
        return true;
    }
}
