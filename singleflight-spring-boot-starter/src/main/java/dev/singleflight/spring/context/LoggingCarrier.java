package dev.singleflight.spring.context;

import dev.singleflight.spring.interceptor.CarriedContext;
import dev.singleflight.spring.interceptor.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Carries the logging context of the leader's thread; an empty one too, which hides what a worker has left over. */
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
        return new Carried(leaders == null ? Map.of() : leaders);
    }

    private record Carried(Map<String, String> leaders) implements CarriedContext {

        @Override
        public Scope open() {
            Map<String, String> before = MDC.getCopyOfContextMap();
            set(leaders);
            return () -> set(before == null ? Map.of() : before);
        }

        private static void set(Map<String, String> context) {
            if (context.isEmpty()) {
                MDC.clear();
            } else {
                MDC.setContextMap(context);
            }
        }

        @Override
        public <C> C addTo(C context) {
            return context;
        }
    }
}
