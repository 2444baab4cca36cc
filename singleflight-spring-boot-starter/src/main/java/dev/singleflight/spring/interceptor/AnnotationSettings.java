package dev.singleflight.spring.interceptor;

import dev.singleflight.OperationSettings;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Reads the policies of an annotation: what is left at its default stays unset. */
final class AnnotationSettings {

    private final String where;
    private final UnaryOperator<String> placeholders;

    AnnotationSettings(String where, UnaryOperator<String> placeholders) {
        this.where = where;
        this.placeholders = placeholders;
    }

    OperationSettings of(SingleFlight annotation) {
        OperationSettings.Builder settings = OperationSettings.builder();
        text("timeout", annotation.timeout(), SettingText::duration, settings::timeout);
        text("waitTimeout", annotation.waitTimeout(), SettingText::duration, settings::waitTimeout);
        text("retryDelay", annotation.retryDelay(), SettingText::duration, settings::retryDelay);
        text("retryMaxDelay", annotation.retryMaxDelay(), SettingText::duration, settings::retryMaxDelay);
        text("cacheFor", annotation.cacheFor(), SettingText::retention, settings::cacheFor);
        text("cacheErrorsFor", annotation.cacheErrorsFor(), SettingText::retention, settings::cacheErrorsFor);
        if (annotation.retries() != -1) {
            settings.retries(annotation.retries());
        }
        if (annotation.retryMultiplier() != -1) {
            settings.retryMultiplier(annotation.retryMultiplier());
        }
        if (annotation.retryJitter() != -1) {
            settings.retryJitter(annotation.retryJitter());
        }
        if (annotation.maxWaiters() != -1) {
            settings.maxWaiters(annotation.maxWaiters());
        }
        if (annotation.retryFor().length > 0) {
            settings.retryFor(annotation.retryFor());
        }
        if (annotation.noRetryFor().length > 0) {
            settings.noRetryFor(annotation.noRetryFor());
        }
        one("retryOn", annotation.retryOn(), settings::retryOn);
        one("runOn", annotation.runOn(), settings::runOn);
        one("whenAbandoned", annotation.whenAbandoned(), settings::whenAbandoned);
        try {
            return settings.build();
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSingleFlightException(where + ": " + invalid.getMessage(), "Change that attribute");
        }
    }

    private <T> void text(String attribute, String text, Function<String, T> parser, Consumer<T> setting) {
        String resolved = placeholders.apply(text).strip();
        if (resolved.isEmpty()) {
            return;
        }
        try {
            setting.accept(parser.apply(resolved));
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSingleFlightException(
                    where + ": " + attribute + " = " + quoted(text) + ": " + invalid.getMessage(),
                    "Change " + attribute);
        }
    }

    private <T> void one(String attribute, T[] values, Consumer<T> setting) {
        if (values.length > 1) {
            throw new InvalidSingleFlightException(
                    where + " has " + values.length + " values for " + attribute, "Leave one of them");
        }
        if (values.length == 1) {
            setting.accept(values[0]);
        }
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
