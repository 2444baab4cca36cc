package dev.singleflight.spring.autoconfigure;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the endpoint.
 *
 * @param showValues When to show keys.
 * @param roles Roles that see keys where they are shown to the authorized; every authenticated user where none is named.
 */
@ConfigurationProperties("management.endpoint.singleflight")
public record SingleFlightEndpointProperties(
        @DefaultValue("never") Show showValues,
        @DefaultValue Set<String> roles) {}
