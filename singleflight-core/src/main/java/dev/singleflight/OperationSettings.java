package dev.singleflight;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The policies of an operation. A field that is null is not set here and inherits: from the engine's defaults, and where
 * those do not set it, from the library's, which stand in parentheses.
 *
 * @param timeout limit of one attempt, from its hand-over to the executor; zero means none and lifts an inherited one (30s)
 * @param waitTimeout how long a caller waits; zero means none and lifts an inherited one (none)
 * @param retries how many attempts may follow the first one; zero or more (0)
 * @param retryDelay pause before the first retry; zero or more (0)
 * @param retryMultiplier factor from one pause to the next; 1 or more (1)
 * @param retryMaxDelay cap of a pause; zero means none (none)
 * @param retryJitter share of a pause by which it varies at random, up or down; 0 to 1 (0)
 * @param retryOn which ends of an attempt are retried (failures and timeouts)
 * @param retryFor throwables that are retried; empty means all (empty)
 * @param noRetryFor throwables that are never retried (empty)
 * @param cacheFor retention of a success (none)
 * @param cacheErrorsFor retention of a failure (none)
 * @param maxWaiters callers attached to one flight at a time, its leader included; at least 1 (10,000)
 * @param runOn whose thread runs the attempts (worker)
 * @param whenAbandoned what becomes of a flight that every caller left (continue)
 */
public record OperationSettings(
        @Nullable Duration timeout,
        @Nullable Duration waitTimeout,
        @Nullable Integer retries,
        @Nullable Duration retryDelay,
        @Nullable Double retryMultiplier,
        @Nullable Duration retryMaxDelay,
        @Nullable Double retryJitter,
        @Nullable RetryOn retryOn,
        @Nullable Set<Class<? extends Throwable>> retryFor,
        @Nullable Set<Class<? extends Throwable>> noRetryFor,
        @Nullable Retention cacheFor,
        @Nullable Retention cacheErrorsFor,
        @Nullable Integer maxWaiters,
        @Nullable RunOn runOn,
        @Nullable WhenAbandoned whenAbandoned) {

    private static final OperationSettings UNSET = new OperationSettings.Builder().build();

    /**
     * Checks every field that is set.
     *
     * @throws IllegalArgumentException naming the field, its value and the rule it breaks
     */
    public OperationSettings {
        checkDuration("timeout", timeout);
        checkDuration("waitTimeout", waitTimeout);
        checkDuration("retryDelay", retryDelay);
        checkDuration("retryMaxDelay", retryMaxDelay);
        check("retries", retries, retries == null || retries >= 0, "must not be negative");
        check(
                "retryMultiplier",
                retryMultiplier,
                retryMultiplier == null || retryMultiplier >= 1 && retryMultiplier <= Double.MAX_VALUE,
                "must be a finite number of at least 1");
        check(
                "retryJitter",
                retryJitter,
                retryJitter == null || retryJitter >= 0 && retryJitter <= 1,
                "must be between 0 and 1");
        check("maxWaiters", maxWaiters, maxWaiters == null || maxWaiters >= 1, "must be at least 1");
        retryFor = retryFor == null ? null : Set.copyOf(retryFor);
        noRetryFor = noRetryFor == null ? null : Set.copyOf(noRetryFor);
    }

    private static void checkDuration(String field, @Nullable Duration value) {
        if (value != null) {
            Durations.nanos(field, value);
        }
    }

    private static void check(String field, @Nullable Object value, boolean valid, String rule) {
        if (!valid) {
            throw new IllegalArgumentException("Invalid " + field + " (" + value + "): " + rule);
        }
    }

    /**
     * Returns settings that set nothing.
     *
     * @return settings that inherit every field
     */
    public static OperationSettings unset() {
        return UNSET;
    }

    /**
     * Returns the library's own settings, which hold where nobody sets anything.
     *
     * @return settings with every field set
     */
    public static OperationSettings defaults() {
        return Policy.DEFAULTS;
    }

    /**
     * Starts from nothing set.
     *
     * @return a new builder, for use by one thread
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Lays other settings over these, each field by itself.
     *
     * @param over the settings whose set fields win
     * @return the combination
     */
    public OperationSettings overriddenBy(OperationSettings over) {
        return new OperationSettings(
                first(over.timeout, timeout),
                first(over.waitTimeout, waitTimeout),
                first(over.retries, retries),
                first(over.retryDelay, retryDelay),
                first(over.retryMultiplier, retryMultiplier),
                first(over.retryMaxDelay, retryMaxDelay),
                first(over.retryJitter, retryJitter),
                first(over.retryOn, retryOn),
                first(over.retryFor, retryFor),
                first(over.noRetryFor, noRetryFor),
                first(over.cacheFor, cacheFor),
                first(over.cacheErrorsFor, cacheErrorsFor),
                first(over.maxWaiters, maxWaiters),
                first(over.runOn, runOn),
                first(over.whenAbandoned, whenAbandoned));
    }

    private static <T> @Nullable T first(@Nullable T preferred, @Nullable T fallback) {
        return preferred != null ? preferred : fallback;
    }

    /**
     * Collects settings; what is not called stays unset. Values are checked by {@link #build}. Not safe for use by several
     * threads.
     */
    public static final class Builder {

        private @Nullable Duration timeout;
        private @Nullable Duration waitTimeout;
        private @Nullable Integer retries;
        private @Nullable Duration retryDelay;
        private @Nullable Double retryMultiplier;
        private @Nullable Duration retryMaxDelay;
        private @Nullable Double retryJitter;
        private @Nullable RetryOn retryOn;
        private @Nullable Set<Class<? extends Throwable>> retryFor;
        private @Nullable Set<Class<? extends Throwable>> noRetryFor;
        private @Nullable Retention cacheFor;
        private @Nullable Retention cacheErrorsFor;
        private @Nullable Integer maxWaiters;
        private @Nullable RunOn runOn;
        private @Nullable WhenAbandoned whenAbandoned;

        private Builder() {}

        /** Limits one attempt; zero for no limit, also where one would be inherited. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** Limits a caller's wait; zero for no limit, also where one would be inherited. */
        public Builder waitTimeout(Duration waitTimeout) {
            this.waitTimeout = waitTimeout;
            return this;
        }

        /** Allows so many attempts after the first; zero for none. */
        public Builder retries(int retries) {
            this.retries = retries;
            return this;
        }

        /** Pauses before the first retry; zero retries at once. */
        public Builder retryDelay(Duration retryDelay) {
            this.retryDelay = retryDelay;
            return this;
        }

        /** Lets each pause be so many times the one before; at least 1. */
        public Builder retryMultiplier(double retryMultiplier) {
            this.retryMultiplier = retryMultiplier;
            return this;
        }

        /** Caps the pauses; zero for no cap. */
        public Builder retryMaxDelay(Duration retryMaxDelay) {
            this.retryMaxDelay = retryMaxDelay;
            return this;
        }

        /** Varies each pause at random by up to this share of it, up or down; 0 to 1. */
        public Builder retryJitter(double retryJitter) {
            this.retryJitter = retryJitter;
            return this;
        }

        /** Chooses which ends of an attempt are retried. */
        public Builder retryOn(RetryOn retryOn) {
            this.retryOn = retryOn;
            return this;
        }

        /** Retries these throwables and their subclasses only, among them AttemptTimeoutException if wanted; none for all. */
        @SafeVarargs
        public final Builder retryFor(Class<? extends Throwable>... types) {
            this.retryFor = Set.of(types);
            return this;
        }

        /** Never retries these throwables and their subclasses. */
        @SafeVarargs
        public final Builder noRetryFor(Class<? extends Throwable>... types) {
            this.noRetryFor = Set.of(types);
            return this;
        }

        /** Retains successes. */
        public Builder cacheFor(Retention cacheFor) {
            this.cacheFor = cacheFor;
            return this;
        }

        /** Retains failures of the work and timeouts. */
        public Builder cacheErrorsFor(Retention cacheErrorsFor) {
            this.cacheErrorsFor = cacheErrorsFor;
            return this;
        }

        /** Limits the callers attached to one flight at a time, its leader included; at least 1. */
        public Builder maxWaiters(int maxWaiters) {
            this.maxWaiters = maxWaiters;
            return this;
        }

        /** Chooses whose thread runs the attempts. */
        public Builder runOn(RunOn runOn) {
            this.runOn = runOn;
            return this;
        }

        /** Chooses what becomes of a flight that every caller left. */
        public Builder whenAbandoned(WhenAbandoned whenAbandoned) {
            this.whenAbandoned = whenAbandoned;
            return this;
        }

        /**
         * Checks and combines what was set.
         *
         * @return the settings
         * @throws IllegalArgumentException naming the field, its value and the rule it breaks
         */
        public OperationSettings build() {
            return new OperationSettings(
                    timeout,
                    waitTimeout,
                    retries,
                    retryDelay,
                    retryMultiplier,
                    retryMaxDelay,
                    retryJitter,
                    retryOn,
                    retryFor,
                    noRetryFor,
                    cacheFor,
                    cacheErrorsFor,
                    maxWaiters,
                    runOn,
                    whenAbandoned);
        }
    }
}
