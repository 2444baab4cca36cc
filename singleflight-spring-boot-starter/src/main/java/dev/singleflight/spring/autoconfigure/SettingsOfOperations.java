package dev.singleflight.spring.autoconfigure;

import dev.singleflight.OperationSettings;
import dev.singleflight.spring.actuate.OperationSettingsSource;
import dev.singleflight.spring.interceptor.AnnotatedMethods;
import org.jspecify.annotations.Nullable;

/** The layers of settings as the auto-configured engine applies them. */
final class SettingsOfOperations implements OperationSettingsSource {

    private final SingleFlightProperties properties;
    private final @Nullable AnnotatedMethods methods;

    SettingsOfOperations(SingleFlightProperties properties, @Nullable AnnotatedMethods methods) {
        this.properties = properties;
        this.methods = methods;
    }

    @Override
    public OperationSettings defaults() {
        return OperationSettings.defaults().overriddenBy(properties.defaults().toSettings("singleflight.defaults"));
    }

    @Override
    public OperationSettings annotation(String operation) {
        return methods == null ? OperationSettings.unset() : methods.settingsOf(operation);
    }

    @Override
    public OperationSettings operation(String operation) {
        OperationProperties own = properties.operations().get(operation);
        return own == null ? OperationSettings.unset() : own.toSettings("singleflight.operations." + operation);
    }
}
