package dev.singleflight.spring.actuate;

import dev.singleflight.EngineSnapshot;
import dev.singleflight.OperationSnapshot;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Snapshots as the endpoint shows them. */
final class Figures {

    private Figures() {}

    static Map<String, Object> of(EngineSnapshot engine) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("state", text(engine.state()));
        figures.put("activeFlights", engine.activeFlights());
        figures.put("waiters", engine.waiters());
        figures.put("stuck", engine.stuck());
        figures.put("maxFlights", engine.maxFlights());
        figures.put("retainedItems", engine.retainedItems());
        Long retainedBytes = engine.retainedBytes();
        if (retainedBytes != null) {
            figures.put("retainedBytes", retainedBytes);
        }
        figures.put("maxItems", engine.maxItems());
        Long maxBytes = engine.maxBytes();
        if (maxBytes != null) {
            figures.put("maxBytes", maxBytes);
        }
        return figures;
    }

    static Map<String, Object> of(OperationSnapshot operation) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("activeFlights", operation.activeFlights());
        figures.put("waiters", operation.waiters());
        figures.put("retainedItems", operation.retainedItems());
        figures.put("calls", operation.calls());
        figures.put("executions", operation.executions());
        figures.put("joined", operation.joined());
        figures.put("retainedHits", operation.retainedHits());
        figures.put("retries", operation.retries());
        figures.put("failures", operation.failures());
        figures.put("timeouts", operation.timeouts());
        figures.put("waitTimeouts", operation.waitTimeouts());
        figures.put("interrupted", operation.interrupted());
        figures.put("cancelled", operation.cancelled());
        figures.put("rejected", operation.rejected());
        figures.put("forgotten", operation.forgotten());
        return figures;
    }

    /** Writes a constant as properties do. */
    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
