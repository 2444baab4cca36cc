package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.context.AllowedKeys;
import dev.singleflight.spring.context.LoggingCarrier;
import dev.singleflight.spring.context.ReactorCarrier;
import dev.singleflight.spring.context.SnapshotCarrier;
import dev.singleflight.spring.observation.FlightObservations;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import reactor.util.context.Context;

/** What goes along from a leader to the attempts of its flight. The logging context is set first: tracing adds to it. */
@AutoConfiguration(
        after = SingleFlightAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
public final class SingleFlightContextAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightContextAutoConfiguration() {}

    @Bean
    AllowedKeys singleFlightContextKeys(SingleFlightProperties properties) {
        return new AllowedKeys(
                properties.context().propagate(),
                Set.copyOf(properties.context().keys()));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MDC.class)
    static class Logging {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        LoggingCarrier singleFlightLoggingCarrier(AllowedKeys allowed) {
            return new LoggingCarrier(allowed);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ContextSnapshotFactory.class)
    static class Snapshots {

        @Bean
        @Order(0)
        SnapshotCarrier singleFlightSnapshotCarrier(AllowedKeys allowed) {
            return new SnapshotCarrier(allowed);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Context.class)
    static class Reactor {

        @Bean
        @Order(0)
        ReactorCarrier singleFlightReactorCarrier(AllowedKeys allowed) {
            return new ReactorCarrier(allowed);
        }
    }

    /** Opened last, so that it is the flight's observation which an attempt finds, with the leader's as its parent. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static class Observations {

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        @ConditionalOnBean(ObservationRegistry.class)
        FlightObservations singleFlightObservations(ObservationRegistry registry) {
            return new FlightObservations(registry);
        }
    }
}
