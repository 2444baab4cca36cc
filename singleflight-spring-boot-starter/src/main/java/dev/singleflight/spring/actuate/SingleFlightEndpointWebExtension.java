package dev.singleflight.spring.actuate;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** What the endpoint says over HTTP: its status codes, and keys for those who may see them. */
@EndpointWebExtension(endpoint = SingleFlightEndpoint.class)
public final class SingleFlightEndpointWebExtension {

    private final SingleFlightEndpoint endpoint;
    private final Show showValues;
    private final Set<String> roles;

    /**
     * Creates the extension.
     *
     * @param endpoint what it extends
     * @param showValues who sees keys
     * @param roles the roles that see them where only the authorized do
     */
    public SingleFlightEndpointWebExtension(SingleFlightEndpoint endpoint, Show showValues, Set<String> roles) {
        this.endpoint = endpoint;
        this.showValues = showValues;
        this.roles = roles;
    }

    /**
     * Shows one operation.
     *
     * @param security who asks
     * @param operation its name
     * @return 200 with its figures, or 404
     */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> operation(SecurityContext security, @Selector String operation) {
        Map<String, Object> body = endpoint.operation(operation, showValues.isShown(security, roles));
        return body == null
                ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                : new WebEndpointResponse<>(body);
    }

    /**
     * Forgets keys of an operation.
     *
     * @param operation its name
     * @param key the text of the keys to forget
     * @param all true to forget every key
     * @return 204, or 404 where the operation is unknown
     */
    @DeleteOperation
    @SuppressWarnings("deprecation") // the one annotation that every supported line of Spring Boot honours
    public WebEndpointResponse<Void> forget(
            @Selector String operation,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable Boolean all) {
        return new WebEndpointResponse<>(
                endpoint.forget(operation, key, all)
                        ? WebEndpointResponse.STATUS_NO_CONTENT
                        : WebEndpointResponse.STATUS_NOT_FOUND);
    }
}
