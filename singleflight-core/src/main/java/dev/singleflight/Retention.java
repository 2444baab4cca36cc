package dev.singleflight;

import java.time.Duration;

/** How long a settled outcome is kept for later callers. */
public final class Retention {

    static final long FOREVER = Long.MAX_VALUE;

    private static final Retention NONE = new Retention(0);
    private static final Retention UNTIL_EVICTED = new Retention(FOREVER);

    private final long nanos;

    private Retention(long nanos) {
        this.nanos = nanos;
    }

    /**
     * Keeps nothing: callers share a flight while it runs, and the next caller starts afresh.
     *
     * @return the retention of zero length
     */
    public static Retention none() {
        return NONE;
    }

    /**
     * Keeps an outcome for a time, counted from its settlement and not prolonged by use.
     *
     * @param duration how long; zero is {@link #none()}
     * @return the retention
     * @throws IllegalArgumentException if the duration is negative
     */
    public static Retention of(Duration duration) {
        long nanos = Durations.nanos("retention", duration);
        return nanos == 0 ? NONE : new Retention(Math.min(nanos, FOREVER - 1));
    }

    /**
     * Keeps an outcome until the engine's bounds on items or bytes evict it, or it is forgotten.
     *
     * @return the retention without end
     */
    public static Retention untilEvicted() {
        return UNTIL_EVICTED;
    }

    long nanos() {
        return nanos;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Retention that && nanos == that.nanos;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nanos);
    }

    /**
     * Returns {@code none}, {@code until-evicted}, or the duration in its ISO form.
     *
     * @return the text
     */
    @Override
    public String toString() {
        return nanos == 0
                ? "none"
                : nanos == FOREVER ? "until-evicted" : Duration.ofNanos(nanos).toString();
    }
}
