package dev.singleflight;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what a listener is told, in order. */
final class Events implements FlightListener {

    /** What was told: the method, the operation and the rest. */
    record Event(String name, String operation, Object detail) {}

    final List<Event> all = new CopyOnWriteArrayList<>();

    List<String> names() {
        return all.stream().map(Event::name).toList();
    }

    /** The details of all events of a type. */
    <T> List<T> of(Class<T> type) {
        return all.stream()
                .map(Event::detail)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private void add(String name, String operation, Object detail) {
        all.add(new Event(name, operation, detail));
    }

    @Override
    public void operationAdded(String operation) {
        add("operationAdded", operation, null);
    }

    @Override
    public void callStarted(String operation, Object key) {
        add("callStarted", operation, key);
    }

    @Override
    public void callEnded(CallEnded event) {
        add("callEnded", event.operation(), event);
    }

    @Override
    public void flightStarted(String operation, Object key) {
        add("flightStarted", operation, key);
    }

    @Override
    public void attemptEnded(AttemptEnded event) {
        add("attemptEnded", event.operation(), event);
    }

    @Override
    public void flightSettled(FlightSettled event) {
        add("flightSettled", event.operation(), event);
    }

    @Override
    public void evicted(String operation, EvictionCause cause) {
        add("evicted", operation, cause);
    }

    @Override
    public void forgotten(String operation, int keys) {
        add("forgotten", operation, keys);
    }
}
