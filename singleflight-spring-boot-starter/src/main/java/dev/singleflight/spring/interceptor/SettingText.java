package dev.singleflight.spring.interceptor;

import dev.singleflight.Retention;
import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.convert.DurationStyle;

/** How durations and retentions are written in annotations, properties and the endpoint. */
public final class SettingText {

    /** No limit, no pause, no retention. */
    public static final String NONE = "none";

    /** Retention until the engine's bounds evict an outcome. */
    public static final String UNTIL_EVICTED = "until-evicted";

    private static final long[] UNIT_NANOS = {
        86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000, 1_000_000, 1_000, 1
    };
    private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us", "ns"};

    private SettingText() {}

    /**
     * Reads a duration.
     *
     * @param text such as {@code 500ms}, {@code 2s}, {@code PT0.5S}, a number of milliseconds, or {@code none} for zero
     * @return the duration
     * @throws IllegalArgumentException if it is none of these
     */
    public static Duration duration(String text) {
        if (text.strip().toLowerCase(Locale.ROOT).equals(NONE)) {
            return Duration.ZERO;
        }
        try {
            return DurationStyle.detectAndParse(text.strip());
        } catch (RuntimeException notOne) {
            throw new IllegalArgumentException("'" + text + "' is not a duration; write 500ms, 2s, PT0.5S or none");
        }
    }

    /**
     * Reads a retention.
     *
     * @param text a duration, {@code none}, or {@code until-evicted}
     * @return the retention
     * @throws IllegalArgumentException if it is none of these
     */
    public static Retention retention(String text) {
        if (text.strip().toLowerCase(Locale.ROOT).replace('_', '-').equals(UNTIL_EVICTED)) {
            return Retention.untilEvicted();
        }
        Duration duration;
        try {
            duration = duration(text);
        } catch (IllegalArgumentException notOne) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a retention; write 500ms, 2s, PT0.5S, none or until-evicted");
        }
        return Retention.of(duration);
    }

    /**
     * Writes a duration in the largest unit that divides it.
     *
     * @param duration zero or more
     * @return such as {@code 2s}, or {@code none} for zero
     */
    public static String of(Duration duration) {
        if (duration.isZero()) {
            return NONE;
        }
        long nanos;
        try {
            nanos = duration.toNanos();
        } catch (ArithmeticException centuries) {
            return duration.toString();
        }
        int unit = 0;
        while (nanos % UNIT_NANOS[unit] != 0) {
            unit++;
        }
        return nanos / UNIT_NANOS[unit] + UNITS[unit];
    }

    /**
     * Writes a retention.
     *
     * @param retention the retention
     * @return a duration such as {@code 2s}, {@code none} or {@code until-evicted}
     */
    public static String of(Retention retention) {
        String text = retention.toString();
        return text.startsWith("P") ? of(Duration.parse(text)) : text;
    }
}
