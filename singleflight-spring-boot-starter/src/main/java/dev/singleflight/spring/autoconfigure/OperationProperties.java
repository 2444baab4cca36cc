package dev.singleflight.spring.autoconfigure;

import dev.singleflight.OperationSettings;
import dev.singleflight.Retention;
import dev.singleflight.RetryOn;
import dev.singleflight.RunOn;
import dev.singleflight.WhenAbandoned;
import dev.singleflight.spring.interceptor.InvalidSingleFlightException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The policies of operations; what is not set inherits.
 *
 * @param timeout Limit of one attempt.
 * @param waitTimeout How long a caller waits before it leaves; the flight goes on.
 * @param retries How many attempts may follow the first one.
 * @param retryDelay Pause before the first retry.
 * @param retryMultiplier Factor from one pause to the next.
 * @param retryMaxDelay Longest pause.
 * @param retryJitter Share of a pause by which it varies at random, 0 to 1.
 * @param retryOn Which ends of an attempt are retried.
 * @param retryFor Throwables that are retried; all where none is named.
 * @param noRetryFor Throwables that are never retried.
 * @param cacheFor How long a value is kept for later callers.
 * @param cacheErrorsFor How long a failure is kept for later callers.
 * @param maxWaiters How many callers may be attached to one flight, its leader included.
 * @param runOn Whose thread runs the attempts.
 * @param whenAbandoned What becomes of a flight that every caller left.
 */
public record OperationProperties(
        @Nullable DurationOrNone timeout,
        @Nullable DurationOrNone waitTimeout,
        @Nullable Integer retries,
        @Nullable DurationOrNone retryDelay,
        @Nullable Double retryMultiplier,
        @Nullable DurationOrNone retryMaxDelay,
        @Nullable Double retryJitter,
        @Nullable RetryOn retryOn,
        @Nullable Set<Class<? extends Throwable>> retryFor,
        @Nullable Set<Class<? extends Throwable>> noRetryFor,
        @Nullable Retention cacheFor,
        @Nullable Retention cacheErrorsFor,
        @Nullable Integer maxWaiters,
        @Nullable RunOn runOn,
        @Nullable WhenAbandoned whenAbandoned) {

    OperationSettings toSettings(String prefix) {
        try {
            return new OperationSettings(
                    duration(timeout),
                    duration(waitTimeout),
                    retries,
                    duration(retryDelay),
                    retryMultiplier,
                    duration(retryMaxDelay),
                    retryJitter,
                    retryOn,
                    retryFor,
                    noRetryFor,
                    cacheFor,
                    cacheErrorsFor,
                    maxWaiters,
                    runOn,
                    whenAbandoned);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSingleFlightException(
                    "Properties under " + prefix + ": " + invalid.getMessage(), "Change that property");
        }
    }

    private static @Nullable Duration duration(@Nullable DurationOrNone value) {
        return value == null ? null : value.duration();
    }
}
