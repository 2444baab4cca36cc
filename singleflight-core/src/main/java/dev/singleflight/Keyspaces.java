package dev.singleflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All keys of an engine: those of each definition, and those of ad-hoc calls, which share one registry. */
final class Keyspaces {

    final FlightRegistry adHoc = new FlightRegistry();

    /**
     * The keys of each definition, for as long as somebody holds the definition or a flight of it runs; a registry does
     * not refer to its definition. Guarded by itself.
     */
    private final Map<OperationDefinition<?, ?>, FlightRegistry> registries = new WeakHashMap<>();

    private final RetainedOutcomes retained;

    Keyspaces(RetainedOutcomes retained) {
        this.retained = retained;
    }

    FlightRegistry of(OperationDefinition<?, ?> definition) {
        synchronized (registries) {
            return registries.computeIfAbsent(definition, first -> new FlightRegistry());
        }
    }

    static AdHocKey adHocKey(String name, @Nullable Object key) {
        if (key == null) {
            throw new IllegalArgumentException("Operation '" + name + "' was given a null key");
        }
        return new AdHocKey(name, key);
    }

    void forget(FlightRegistry registry, Object key) {
        for (Slot slot; (slot = registry.find(key)) != null; ) {
            if (forget(registry, slot)) {
                return;
            }
        }
    }

    void forgetAll(FlightRegistry registry) {
        forgetWhere(registry, key -> true);
    }

    void forgetAll() {
        forEach(this::forgetAll);
    }

    void forget(String name, Object key) {
        named(name).forEach(registry -> forget(registry, key));
        forget(adHoc, adHocKey(name, key));
    }

    void forgetWhere(String name, Predicate<Object> test) {
        named(name).forEach(registry -> forgetWhere(registry, test));
        forgetWhere(adHoc, key -> key instanceof AdHocKey own && own.name().equals(name) && test.test(own.key()));
    }

    private void forgetWhere(FlightRegistry registry, Predicate<Object> test) {
        registry.forEach(slot -> {
            if (test.test(slot.key) && !forget(registry, slot)) {
                forget(registry, slot.key); // it settled meanwhile and is retained
            }
        });
    }

    private boolean forget(FlightRegistry registry, Slot slot) {
        if (!registry.forget(slot)) {
            return false;
        }
        if (slot instanceof Retained outcome) {
            retained.forget(outcome);
            outcome.books.forgotten(1);
        } else if (slot instanceof Flight flight) {
            flight.operation.books.forgotten(1);
        }
        return true;
    }

    /** Detaches every key because the engine stops, which does not count as forgetting. */
    void detachAll() {
        forEach(registry -> registry.forEach(registry::forget));
        retained.clear();
    }

    void forEachFlight(Consumer<Flight> action) {
        forEach(registry -> registry.forEachFlight(action));
    }

    /** Every flight in a keyspace that has flights of the name; others may be among them. */
    void forEachFlight(String name, Consumer<Flight> action) {
        named(name).forEach(registry -> registry.forEachFlight(action));
        adHoc.forEachFlight(action);
    }

    private void forEach(Consumer<FlightRegistry> action) {
        List<FlightRegistry> all;
        synchronized (registries) {
            all = new ArrayList<>(registries.values());
        }
        all.add(adHoc);
        all.forEach(action);
    }

    private List<FlightRegistry> named(String name) {
        List<FlightRegistry> named = new ArrayList<>();
        synchronized (registries) {
            registries.forEach((definition, registry) -> {
                if (definition.name().equals(name)) {
                    named.add(registry);
                }
            });
        }
        return named;
    }
}
