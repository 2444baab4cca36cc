package dev.singleflight.spring.autoconfigure;

import dev.singleflight.FlightListener;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.SingleFlightEngineBuilder;
import dev.singleflight.spring.autoconfigure.SingleFlightProperties.ExposeKeys;
import dev.singleflight.spring.interceptor.InvalidSingleFlightException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** The engine, with the properties and the listeners of the application. */
@AutoConfiguration
@EnableConfigurationProperties(SingleFlightProperties.class)
public final class SingleFlightAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightAutoConfiguration() {}

    @Bean
    @ConfigurationPropertiesBinding
    static SettingConverter singleFlightSettingConverter() {
        return new SettingConverter();
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    SingleFlightEngine singleFlightEngine(
            SingleFlightProperties properties,
            ObjectProvider<FlightListener> listeners,
            @Qualifier("singleFlightExecutor") ObjectProvider<Executor> executor,
            Environment environment) {
        SingleFlightEngineBuilder builder = SingleFlightEngine.builder();
        try {
            builder.maxFlights(properties.maxFlights())
                    .cacheMaxItems(properties.cache().maxItems())
                    .shutdownTimeout(shutdownTimeout(properties, environment))
                    .exposeKeys(properties.exposeKeys() == ExposeKeys.ALWAYS)
                    .defaults(properties.defaults().toSettings("singleflight.defaults"));
            DataSize maxBytes = properties.cache().maxBytes();
            if (maxBytes != null) {
                builder.cacheMaxBytes(maxBytes.toBytes());
            }
            properties
                    .operations()
                    .forEach((name, operation) ->
                            builder.override(name, operation.toSettings("singleflight.operations." + name)));
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSingleFlightException(
                    "Properties under singleflight: " + invalid.getMessage(), "Change that property");
        }
        builder.virtualThreads(environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false));
        executor.ifAvailable(builder::executor);
        listeners.orderedStream().forEach(builder::listener);
        return builder.build();
    }

    /** Whoever stops the context gives up on a phase after this time, so flights are interrupted before. */
    private static Duration shutdownTimeout(SingleFlightProperties properties, Environment environment) {
        Duration own = properties.shutdownTimeout();
        String phase = environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", "30s");
        Duration limit = DurationStyle.detectAndParse(phase);
        return own.compareTo(limit) < 0 ? own : limit;
    }

    @Bean
    @ConditionalOnMissingBean
    SingleFlightLifecycle singleFlightLifecycle(SingleFlightEngine engine) {
        return new SingleFlightLifecycle(engine);
    }
}
