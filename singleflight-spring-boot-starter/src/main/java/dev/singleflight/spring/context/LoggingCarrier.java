package dev.singleflight.spring.context;

import dev.singleflight.spring.interceptor.CarriedContext;
import dev.singleflight.spring.interceptor.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Carries the logging context of the leader's thread. */
public final class LoggingCarrier implements ContextCarrier {

    private final AllowedKeys allowed;

    /**
     * Creates the carrier.
     *
     * @param allowed whether the logging context goes along
     */
    public LoggingCarrier(AllowedKeys allowed) {
        this.allowed = allowed;
    }

    @Override
    public @Nullable CarriedContext capture(String operation, @Nullable Object reactorContext) {
        if (!allowed.logging()) {
            return null;
        }
        Map<String, String> leaders = MDC.getCopyOfContextMap();
        return leaders == null || leaders.isEmpty() ? null : new Carried(leaders);
    }

    private record Carried(Map<String, String> leaders) implements CarriedContext {

        @Override
        public Scope open() {
            Map<String, String> before = MDC.getCopyOfContextMap();
            MDC.setContextMap(leaders);
            return () -> {
                if (before == null) {
                    MDC.clear();
                } else {
                    MDC.setContextMap(before);
                }
            };
        }

        @Override
        public <C> C addTo(C context) {
            return context;
        }
    }
}
