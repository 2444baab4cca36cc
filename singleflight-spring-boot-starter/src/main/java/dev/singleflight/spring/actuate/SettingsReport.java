package dev.singleflight.spring.actuate;

import dev.singleflight.OperationSettings;
import dev.singleflight.Retention;
import dev.singleflight.spring.interceptor.SettingText;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings that hold for an operation, each with the place where it is set. */
final class SettingsReport {

    private static final Map<String, Function<OperationSettings, @Nullable Object>> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("timeout", OperationSettings::timeout);
        FIELDS.put("waitTimeout", OperationSettings::waitTimeout);
        FIELDS.put("retries", OperationSettings::retries);
        FIELDS.put("retryDelay", OperationSettings::retryDelay);
        FIELDS.put("retryMultiplier", OperationSettings::retryMultiplier);
        FIELDS.put("retryMaxDelay", OperationSettings::retryMaxDelay);
        FIELDS.put("retryJitter", OperationSettings::retryJitter);
        FIELDS.put("retryOn", OperationSettings::retryOn);
        FIELDS.put("retryFor", OperationSettings::retryFor);
        FIELDS.put("noRetryFor", OperationSettings::noRetryFor);
        FIELDS.put("cacheFor", OperationSettings::cacheFor);
        FIELDS.put("cacheErrorsFor", OperationSettings::cacheErrorsFor);
        FIELDS.put("maxWaiters", OperationSettings::maxWaiters);
        FIELDS.put("runOn", OperationSettings::runOn);
        FIELDS.put("whenAbandoned", OperationSettings::whenAbandoned);
    }

    private SettingsReport() {}

    static Map<String, Object> of(OperationSettingsSource source, String operation) {
        Map<String, OperationSettings> layers = new LinkedHashMap<>();
        layers.put("operation", source.operation(operation));
        layers.put("annotation", source.annotation(operation));
        layers.put("defaults", source.defaults());
        Map<String, Object> report = new LinkedHashMap<>();
        FIELDS.forEach((name, field) -> {
            for (Map.Entry<String, OperationSettings> layer : layers.entrySet()) {
                Object value = field.apply(layer.getValue());
                if (value != null) {
                    report.put(name, Map.of("value", shown(value), "source", layer.getKey()));
                    return;
                }
            }
        });
        return report;
    }

    private static Object shown(Object value) {
        if (value instanceof Duration duration) {
            return SettingText.of(duration);
        }
        if (value instanceof Retention retention) {
            return SettingText.of(retention);
        }
        if (value instanceof Enum<?> constant) {
            return Figures.text(constant);
        }
        if (value instanceof Collection<?> types) {
            return types.stream()
                    .map(type -> ((Class<?>) type).getName())
                    .sorted()
                    .toList();
        }
        return value;
    }
}
