package dev.singleflight.spring.metrics;

import dev.singleflight.EngineSnapshot;
import dev.singleflight.FlightListener;
import dev.singleflight.OperationSnapshot;
import dev.singleflight.SingleFlightEngine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Tells a meter registry what happens in an engine. The names of operations are tags up to a bound; keys never are. */
public final class SingleFlightMeters implements FlightListener {

    static final String OTHER = "other";

    private final MeterRegistry registry;
    private final int maxOperations;
    private final Map<String, OperationMeters> meters = new ConcurrentHashMap<>();
    private final Map<EvictionCause, Counter> evictions = new EnumMap<>(EvictionCause.class);

    /** The names that are tags; guarded by itself. */
    private final Map<String, OperationMeters> tagged = new ConcurrentHashMap<>();

    private volatile @Nullable SingleFlightEngine engine;

    /**
     * Creates the meters; they count as soon as an engine has them as a listener.
     *
     * @param registry where they are registered
     * @param maxOperations how many names become tags; the rest adds up as {@code other}
     */
    public SingleFlightMeters(MeterRegistry registry, int maxOperations) {
        this.registry = registry;
        this.maxOperations = maxOperations;
        for (EvictionCause cause : EvictionCause.values()) {
            evictions.put(
                    cause,
                    Counter.builder("singleflight.evictions")
                            .description("Retained outcomes that were evicted")
                            .tag("cause", OperationMeters.text(cause))
                            .register(registry));
        }
    }

    /**
     * Adds the gauges of an engine, and has those of its operations read from it.
     *
     * @param engine the engine that has these meters as a listener
     */
    public void watch(SingleFlightEngine engine) {
        this.engine = engine;
        Gauge.builder("singleflight.retained.items", engine, e -> e.snapshot().retainedItems())
                .description("Outcomes kept")
                .register(registry);
        if (engine.snapshot().maxBytes() != null) {
            Gauge.builder("singleflight.retained.bytes", engine, SingleFlightMeters::retainedBytes)
                    .description("Approximate size of the outcomes kept")
                    .baseUnit("bytes")
                    .register(registry);
        }
    }

    private static double retainedBytes(SingleFlightEngine engine) {
        Long bytes = engine.snapshot().retainedBytes();
        return bytes == null ? 0 : bytes;
    }

    @Override
    public void operationAdded(String operation) {
        meters(operation);
    }

    @Override
    public void callEnded(CallEnded event) {
        Timer timer = meters(event.operation()).calls(event.role(), event.result());
        if (timer != null) {
            timer.record(event.elapsed());
        }
    }

    @Override
    public void attemptEnded(AttemptEnded event) {
        Counter counter = meters(event.operation()).attempts(event.result());
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void flightSettled(FlightSettled event) {
        Timer timer = meters(event.operation()).flights(event.result());
        if (timer != null) {
            timer.record(event.elapsed());
        }
    }

    @Override
    public void evicted(String operation, EvictionCause cause) {
        Counter counter = evictions.get(cause);
        if (counter != null) {
            counter.increment();
        }
    }

    private OperationMeters meters(String operation) {
        OperationMeters known = meters.get(operation);
        if (known != null) {
            return known;
        }
        OperationMeters added = tagged(operation);
        meters.put(operation, added);
        return added;
    }

    private OperationMeters tagged(String operation) {
        synchronized (tagged) {
            String tag = tagged.containsKey(operation) || tagged.size() < maxOperations ? operation : OTHER;
            OperationMeters known = tagged.get(tag);
            if (known == null) {
                known = new OperationMeters(registry, tag);
                tagged.put(tag, known);
                gauge(
                        "singleflight.flights.active",
                        "Flights that are not settled",
                        tag,
                        OperationSnapshot::activeFlights);
                gauge("singleflight.waiters", "Callers attached to flights", tag, OperationSnapshot::waiters);
                gauge("singleflight.stuck", "Workers that outlive their attempt", tag, OperationSnapshot::stuck);
            }
            return known;
        }
    }

    private void gauge(String name, String description, String tag, ToDoubleFunction<OperationSnapshot> figure) {
        Gauge.builder(name, this, meters -> meters.read(tag, figure))
                .description(description)
                .tag("operation", tag)
                .register(registry);
    }

    private double read(String tag, ToDoubleFunction<OperationSnapshot> figure) {
        SingleFlightEngine watched = engine;
        if (watched == null) {
            return 0;
        }
        if (tag.equals(OTHER)) {
            return others(watched.snapshot(), figure);
        }
        OperationSnapshot operation = watched.snapshot(tag);
        return operation == null ? 0 : figure.applyAsDouble(operation);
    }

    private double others(EngineSnapshot snapshot, ToDoubleFunction<OperationSnapshot> figure) {
        double sum = 0;
        for (Map.Entry<String, OperationSnapshot> operation :
                snapshot.operations().entrySet()) {
            if (operation.getKey().equals(OTHER) || !tagged.containsKey(operation.getKey())) {
                sum += figure.applyAsDouble(operation.getValue());
            }
        }
        return sum;
    }
}
