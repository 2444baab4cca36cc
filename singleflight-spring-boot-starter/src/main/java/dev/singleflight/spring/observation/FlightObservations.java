package dev.singleflight.spring.observation;

import dev.singleflight.AttemptTimeoutException;
import dev.singleflight.spring.interceptor.CarriedContext;
import dev.singleflight.spring.interceptor.ContextCarrier;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Observes each flight of an annotated method as {@code singleflight.flight}: a span where tracing is present, child of
 * what its leader is observed as, and current on the thread of every attempt. Tagged with the operation and the outcome,
 * never with a key.
 */
public final class FlightObservations implements ContextCarrier {

    private final ObservationRegistry registry;

    /**
     * Creates the observations.
     *
     * @param registry where they are made
     */
    public FlightObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public @Nullable CarriedContext capture(String operation, @Nullable Object reactorContext) {
        if (registry.isNoop()) {
            return null;
        }
        Observation observation = Observation.createNotStarted("singleflight.flight", registry)
                .contextualName("singleflight " + operation)
                .lowCardinalityKeyValue("operation", operation)
                .lowCardinalityKeyValue("outcome", "unknown");
        return new Observed(observation.start());
    }

    private record Observed(Observation observation) implements CarriedContext {

        @Override
        public Scope open() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }

        @Override
        public <C> C addTo(C context) {
            return context;
        }

        @Override
        public void settled(@Nullable Throwable failure) {
            if (failure != null) {
                observation.error(failure);
            }
            observation.lowCardinalityKeyValue(KeyValue.of("outcome", outcome(failure)));
            observation.stop();
        }

        private static String outcome(@Nullable Throwable failure) {
            if (failure == null) {
                return "success";
            }
            return failure instanceof AttemptTimeoutException
                    ? "timeout"
                    : failure instanceof CancellationException ? "cancelled" : "failure";
        }
    }
}
