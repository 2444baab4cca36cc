package dev.singleflight.spring.actuate;

import dev.singleflight.EngineSnapshot;
import dev.singleflight.FlightSnapshot;
import dev.singleflight.OperationSnapshot;
import dev.singleflight.SingleFlightEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows the engine and its operations, and forgets keys on demand. */
@Endpoint(id = "singleflight", defaultAccess = Access.READ_ONLY)
public final class SingleFlightEndpoint {

    private final SingleFlightEngine engine;
    private final OperationSettingsSource settings;
    private final Sanitizer sanitizer;
    private final Show showValues;

    /**
     * Creates the endpoint.
     *
     * @param engine what it shows
     * @param settings where operations have their settings from
     * @param sanitizing what else may hide keys
     * @param showValues whether keys are shown at all
     */
    public SingleFlightEndpoint(
            SingleFlightEngine engine,
            OperationSettingsSource settings,
            Iterable<SanitizingFunction> sanitizing,
            Show showValues) {
        this.engine = engine;
        this.settings = settings;
        this.sanitizer = new Sanitizer(sanitizing);
        this.showValues = showValues;
    }

    /**
     * Shows everything.
     *
     * @return the engine and the figures of each operation
     */
    @ReadOperation
    public Map<String, Object> flights() {
        EngineSnapshot snapshot = engine.snapshot();
        Map<String, Object> operations = new TreeMap<>();
        snapshot.operations().forEach((name, operation) -> operations.put(name, Figures.of(operation)));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("engine", Figures.of(snapshot));
        body.put("operations", operations);
        return OperationResponseBody.of(body);
    }

    /**
     * Shows one operation.
     *
     * @param operation its name
     * @return its figures, its settings and its flights; null where it is unknown
     */
    @ReadOperation
    public @Nullable Map<String, Object> operation(@Selector String operation) {
        return operation(operation, showValues.isShown(SecurityContext.NONE, Set.of()));
    }

    @Nullable
    Map<String, Object> operation(String operation, boolean shown) {
        OperationSnapshot snapshot = engine.snapshot(operation);
        if (snapshot == null) {
            return null;
        }
        Map<String, Object> body = new LinkedHashMap<>(Figures.of(snapshot));
        body.put("settings", SettingsReport.of(settings, operation));
        body.put("flights", flights(operation, snapshot.flights(), shown));
        return OperationResponseBody.of(body);
    }

    /**
     * Forgets keys of an operation.
     *
     * @param operation its name
     * @param key the text of the keys to forget
     * @param all true to forget every key
     * @return false where the operation is unknown
     */
    @DeleteOperation
    @SuppressWarnings("deprecation") // the one annotation that every supported line of Spring Boot honours
    public boolean forget(
            @Selector String operation,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable Boolean all) {
        boolean whole = Boolean.TRUE.equals(all);
        if (whole == (key != null) || Boolean.FALSE.equals(all)) {
            throw new InvalidEndpointRequestException(
                    "Either 'key' or 'all=true' must be given",
                    "Give either a key to forget or all=true, and not both");
        }
        if (engine.snapshot(operation) == null) {
            return false;
        }
        engine.forgetWhere(operation, known -> whole || text(known).equals(key));
        return true;
    }

    private List<Map<String, Object>> flights(String operation, List<FlightSnapshot> flights, boolean shown) {
        return flights.stream().map(flight -> flight(operation, flight, shown)).toList();
    }

    private Map<String, Object> flight(String operation, FlightSnapshot flight, boolean shown) {
        Map<String, Object> body = new LinkedHashMap<>();
        Object key = sanitizer.sanitize(
                new SanitizableData(null, "singleflight." + operation + ".key", text(flight.key())), shown);
        body.put("key", String.valueOf(key));
        body.put("state", Figures.text(flight.state()));
        body.put("attempt", flight.attempt());
        body.put("ageMillis", flight.age().toMillis());
        body.put("waiters", flight.waiters());
        return body;
    }

    private static String text(Object key) {
        try {
            return String.valueOf(key);
        } catch (RuntimeException keyWithoutText) {
            return key.getClass().getName();
        }
    }
}
