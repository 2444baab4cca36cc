package dev.singleflight;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An engine as it stands. The figures are read one after the other while callers come and go; they add up exactly once
 * nothing runs.
 *
 * @param state whether callers are received
 * @param activeFlights flights that are not settled, forgotten ones too
 * @param waiters callers attached to them
 * @param stuck workers that outlive the timeout or the cancellation of their attempt
 * @param maxFlights bound on flights and stuck workers together
 * @param retainedItems outcomes kept
 * @param retainedBytes their approximate size; null where bytes are not bounded
 * @param maxItems bound on outcomes kept
 * @param maxBytes bound on their approximate size; null where not bounded
 * @param operations the figures of each name that was used, in alphabetical order
 */
public record EngineSnapshot(
        State state,
        int activeFlights,
        int waiters,
        int stuck,
        int maxFlights,
        int retainedItems,
        @Nullable Long retainedBytes,
        int maxItems,
        @Nullable Long maxBytes,
        Map<String, OperationSnapshot> operations) {

    /** Whether callers are received. */
    public enum State {
        /** Callers are received. */
        RUNNING,
        /** Only calls from inside attempts are; flights that run come to their end. */
        CLOSING,
        /** Nobody is, until the engine is started again. */
        CLOSED
    }
}
