package dev.singleflight.spring.autoconfigure;

import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.metrics.SingleFlightMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The meters, where there is a registry. The names of Spring Boot's own configurations differ between its lines. */
@AutoConfiguration(
        before = SingleFlightAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class SingleFlightMetricsAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    SingleFlightMeters singleFlightMeters(MeterRegistry registry, SingleFlightProperties properties) {
        return new SingleFlightMeters(registry, properties.metrics().maxOperations());
    }

    /** The engine has the meters as a listener, so they learn of it once both are there. */
    @Bean
    SmartInitializingSingleton singleFlightGauges(SingleFlightMeters meters, SingleFlightEngine engine) {
        return () -> meters.watch(engine);
    }
}
