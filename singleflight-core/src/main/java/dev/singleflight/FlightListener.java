package dev.singleflight;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Learns what happens in an engine, for meters, traces and logs.
 *
 * <p>Methods run on the thread where the event happens and before the caller concerned goes on, so they must be quick
 * and must not block. What they throw is logged and harms nobody. None runs under a lock of the engine. A key is null
 * in every event unless the engine exposes keys.
 */
public interface FlightListener {

    /** How a call, an attempt or a flight ended. */
    enum Result {
        /** With a value. */
        SUCCESS,
        /** The work failed, or the engine became unavailable. */
        FAILURE,
        /** The attempt timed out. */
        TIMEOUT,
        /** The caller's own deadline passed. */
        WAIT_TIMEOUT,
        /** The caller's thread was interrupted. */
        INTERRUPTED,
        /** The caller completed its future itself; or the flight ended because every caller had left. */
        CANCELLED,
        /** The caller was turned away on arrival. */
        REJECTED;

        static Result of(@Nullable Object outcome) {
            if (!(outcome instanceof Failure failure)) {
                return SUCCESS;
            }
            return switch (failure.kind()) {
                case WORK, UNAVAILABLE -> FAILURE;
                case TIMEOUT -> TIMEOUT;
                case CANCELLED -> CANCELLED;
            };
        }
    }

    /**
     * A caller has what it came for, or leaves.
     *
     * @param operation name of the operation
     * @param key the caller's key, where exposed
     * @param role the caller's role; null where it was turned away
     * @param result how the call ended
     * @param elapsed the caller's wait
     */
    record CallEnded(
            String operation,
            @Nullable Object key,
            @Nullable Role role,
            Result result,
            Duration elapsed) {}

    /**
     * An attempt ended, or was overtaken by its timeout.
     *
     * @param operation name of the operation
     * @param key the flight's key, where exposed
     * @param attempt number of the attempt, from 1
     * @param result how it ended
     * @param retryDelay pause until the attempt that follows; null where none does
     */
    record AttemptEnded(
            String operation,
            @Nullable Object key,
            int attempt,
            Result result,
            @Nullable Duration retryDelay) {}

    /**
     * A flight's outcome is fixed, its key retained or free; its callers do not have it yet.
     *
     * @param operation name of the operation
     * @param key the flight's key, where exposed
     * @param attempts how many attempts were made
     * @param result how the flight ended
     * @param elapsed time since the flight started
     */
    record FlightSettled(String operation, @Nullable Object key, int attempts, Result result, Duration elapsed) {}

    /** Why a retained outcome went. */
    enum EvictionCause {
        /** Its time was over. */
        EXPIRED,
        /** A bound on items or bytes was reached. */
        SIZE
    }

    /**
     * Called when a name is used for the first time on an engine.
     *
     * @param operation name of the operation
     */
    default void operationAdded(String operation) {}

    /**
     * Called by a caller on arrival, before it is decided whether it starts, joins or is given anything.
     *
     * @param operation name of the operation
     * @param key the caller's key, where exposed
     */
    default void callStarted(String operation, @Nullable Object key) {}

    /**
     * Called at the end of a call.
     *
     * @param event what happened
     */
    default void callEnded(CallEnded event) {}

    /**
     * Called by the leader when it has started a flight.
     *
     * @param operation name of the operation
     * @param key the flight's key, where exposed
     */
    default void flightStarted(String operation, @Nullable Object key) {}

    /**
     * Called at the end of an attempt.
     *
     * @param event what happened
     */
    default void attemptEnded(AttemptEnded event) {}

    /**
     * Called when a flight is settled.
     *
     * @param event what happened
     */
    default void flightSettled(FlightSettled event) {}

    /**
     * Called after a retained outcome was evicted, by whichever thread noticed.
     *
     * @param operation name of the operation
     * @param cause why
     */
    default void evicted(String operation, EvictionCause cause) {}

    /**
     * Called after a key was detached by a forget, once for each key.
     *
     * @param operation name of the operation
     */
    default void forgotten(String operation) {}
}
