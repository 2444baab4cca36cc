package dev.singleflight;

import java.time.Duration;

/**
 * A flight refused another caller because {@code maxWaiters} are attached to it. The flight and its callers are not
 * concerned; a caller that leaves makes room.
 */
public final class TooManyWaitersException extends SingleFlightException {

    private static final long serialVersionUID = 1L;

    TooManyWaitersException(Subject subject, int maxWaiters) {
        super(
                subject + " was refused: " + maxWaiters + " callers wait for this flight already (maxWaiters)",
                subject.operation(),
                Duration.ZERO,
                null);
    }

    @Override
    boolean isRefusal() {
        return true;
    }
}
