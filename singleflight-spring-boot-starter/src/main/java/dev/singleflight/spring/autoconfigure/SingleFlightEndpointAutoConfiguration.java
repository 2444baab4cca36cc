package dev.singleflight.spring.autoconfigure;

import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.actuate.SingleFlightEndpoint;
import dev.singleflight.spring.actuate.SingleFlightEndpointWebExtension;
import dev.singleflight.spring.interceptor.AnnotatedMethods;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint, where the actuator is there and the endpoint is exposed. */
@AutoConfiguration(after = {SingleFlightAutoConfiguration.class, SingleFlightAdviceAutoConfiguration.class})
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
public final class SingleFlightEndpointAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightEndpointAutoConfiguration() {}

    /** Nested, because the condition itself is the actuator's. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(SingleFlightEndpoint.class)
    @ConditionalOnBean(SingleFlightEngine.class)
    @EnableConfigurationProperties(SingleFlightEndpointProperties.class)
    static class WhereAvailable {

        @Bean
        @ConditionalOnMissingBean
        SingleFlightEndpoint singleFlightEndpoint(
                SingleFlightEngine engine,
                SingleFlightProperties properties,
                ObjectProvider<AnnotatedMethods> methods,
                ObjectProvider<SanitizingFunction> sanitizing,
                SingleFlightEndpointProperties endpoint) {
            return new SingleFlightEndpoint(
                    engine,
                    new SettingsOfOperations(properties, methods.getIfAvailable()),
                    sanitizing.orderedStream().toList(),
                    endpoint.showValues());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(SingleFlightEndpoint.class)
        SingleFlightEndpointWebExtension singleFlightEndpointWebExtension(
                SingleFlightEndpoint endpoint, SingleFlightEndpointProperties properties) {
            return new SingleFlightEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
        }
    }
}
