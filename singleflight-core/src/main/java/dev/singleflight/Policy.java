package dev.singleflight;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Settings with nothing left to inherit, in the units of the hot path. Times are nanoseconds; zero means none. */
record Policy(
        long timeout,
        long waitTimeout,
        int retries,
        long retryDelay,
        double retryMultiplier,
        long retryMaxDelay,
        double retryJitter,
        RetryOn retryOn,
        Set<Class<? extends Throwable>> retryFor,
        Set<Class<? extends Throwable>> noRetryFor,
        long cacheFor,
        long cacheErrorsFor,
        int maxWaiters,
        boolean leaderRun,
        boolean cancelWhenAbandoned) {

    static final OperationSettings DEFAULTS = OperationSettings.builder()
            .timeout(Duration.ofSeconds(30))
            .waitTimeout(Duration.ZERO)
            .retries(0)
            .retryDelay(Duration.ZERO)
            .retryMultiplier(1)
            .retryMaxDelay(Duration.ZERO)
            .retryJitter(0)
            .retryOn(RetryOn.FAILURES_AND_TIMEOUTS)
            .retryFor()
            .noRetryFor()
            .cacheFor(Retention.none())
            .cacheErrorsFor(Retention.none())
            .maxWaiters(10_000)
            .runOn(RunOn.WORKER)
            .whenAbandoned(WhenAbandoned.CONTINUE)
            .build();

    static Policy of(OperationSettings settings) {
        OperationSettings s = DEFAULTS.overriddenBy(settings);
        return new Policy(
                limit(s.timeout()),
                limit(s.waitTimeout()),
                set(s.retries()),
                limit(s.retryDelay()),
                set(s.retryMultiplier()),
                limit(s.retryMaxDelay()),
                set(s.retryJitter()),
                set(s.retryOn()),
                set(s.retryFor()),
                set(s.noRetryFor()),
                set(s.cacheFor()).nanos(),
                set(s.cacheErrorsFor()).nanos(),
                set(s.maxWaiters()),
                s.runOn() == RunOn.LEADER,
                s.whenAbandoned() == WhenAbandoned.CANCEL);
    }

    private static <T> T set(@Nullable T value) {
        return Objects.requireNonNull(value);
    }

    /** Half the range of a long is 146 years: as good as none, and no sum with a clock's reading overflows. */
    private static long limit(@Nullable Duration duration) {
        long nanos = Durations.nanos("duration", set(duration));
        return nanos > Long.MAX_VALUE / 2 ? 0 : nanos;
    }

    /** Whether another attempt follows this one. Refusals and cycles would only be met again. */
    boolean retries(Failure failure, int attempt) {
        return attempt <= retries
                && retryOn.covers(failure.kind() == Failure.Kind.TIMEOUT)
                && (retryFor.isEmpty() || matches(retryFor, failure.throwable()))
                && !matches(noRetryFor, failure.throwable())
                && !failure.isRefused();
    }

    private static boolean matches(Set<Class<? extends Throwable>> types, Throwable throwable) {
        for (Class<? extends Throwable> type : types) {
            if (type.isInstance(throwable)) {
                return true;
            }
        }
        return false;
    }

    /** The pause after the given attempt. */
    long delayAfter(int attempt) {
        if (retryDelay == 0) {
            return 0;
        }
        double delay = Math.min(retryDelay * Math.pow(retryMultiplier, attempt - 1), Double.MAX_VALUE);
        delay += delay * retryJitter * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        double cap = retryMaxDelay > 0 ? retryMaxDelay : Long.MAX_VALUE / 2;
        return (long) Math.min(delay, cap);
    }
}
