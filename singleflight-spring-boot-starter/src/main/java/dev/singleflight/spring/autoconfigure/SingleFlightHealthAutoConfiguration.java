package dev.singleflight.spring.autoconfigure;

import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.health.SingleFlightHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health of the engine, for applications that ask for it: a burst of flights is no reason to restart an application.
 * The interface is that of Spring Boot 4; on 3.5 there is none.
 */
@AutoConfiguration(after = SingleFlightAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnProperty(prefix = "management.health.singleflight", name = "enabled")
@ConditionalOnBean(SingleFlightEngine.class)
public final class SingleFlightHealthAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "singleflightHealthIndicator")
    SingleFlightHealthIndicator singleflightHealthIndicator(SingleFlightEngine engine) {
        return new SingleFlightHealthIndicator(engine);
    }
}
