package dev.singleflight;

import java.time.Duration;

/** Durations as nanoseconds, refusing negative ones and saturating those beyond 292 years. */
final class Durations {

    private Durations() {}

    static long nanos(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("Invalid " + name + " (" + duration + "): must not be negative");
        }
        try {
            return duration.toNanos();
        } catch (ArithmeticException beyondRange) {
            return Long.MAX_VALUE;
        }
    }
}
