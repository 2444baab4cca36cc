package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.interceptor.SettingText;
import java.time.Duration;

/**
 * A duration of a property that may also be written {@code none}.
 *
 * @param duration zero for none
 */
public record DurationOrNone(Duration duration) {

    @Override
    public String toString() {
        return SettingText.of(duration);
    }
}
