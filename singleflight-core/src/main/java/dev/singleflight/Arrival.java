package dev.singleflight;

import dev.singleflight.FlightListener.Result;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller meets under its key: a retained outcome; a flight that runs, and that it is attached to now; or the first
 * attempt of the flight that it has started and leads.
 */
sealed interface Arrival permits Retained, Flight, Attempt {

    /** A wait that takes what is retained and starts nothing. */
    long NOW = -1;

    /** Returns the flight that the caller is attached to. */
    Flight flight();

    Role role();

    /** Has the flight run on a worker, where this caller leads it. */
    default void setOff() {
        if (this instanceof Attempt first) {
            first.handOver();
        }
    }

    /** Leaves nobody waiting for what this caller was to do, and cannot: it is out of memory or stack, in the engine. */
    default void giveUp(Throwable broken) {
        if (this instanceof Attempt) {
            flight().breakDown(broken);
        } else {
            flight().depart();
        }
    }

    /**
     * Takes what is retained, joins what runs, or starts a flight, whichever the key maps to in one atomic step. A turn
     * of the loop that ends without an arrival has met a slot that was on its way out, and has seen it out of the map.
     *
     * @param wait nanoseconds, or {@link #NOW}; only the latter matters here
     * @param runner the calling thread, if it is inside an attempt
     * @param blocks whether the caller will block, and lends its thread
     * @throws RuntimeException if the caller is turned away, or its key cannot be looked up; this is counted
     */
    static Arrival of(
            Operation<?, ?> operation,
            Object key,
            @Nullable Object param,
            long wait,
            @Nullable Runner runner,
            boolean blocks) {
        try {
            return find(operation, key, param, wait, runner, blocks);
        } catch (SingleFlightException refused) {
            throw refused;
        } catch (Throwable keyBroke) {
            operation.books.turnedAway(key, Result.REJECTED);
            throw keyBroke;
        }
    }

    private static Arrival find(
            Operation<?, ?> operation,
            Object key,
            @Nullable Object param,
            long wait,
            @Nullable Runner runner,
            boolean blocks) {
        boolean inside = runner != null && runner.isInside(operation.engine);
        Runner blocked = blocks ? runner : null;
        for (; ; ) {
            if (!operation.engine.admission.accepts(inside)) {
                throw refuse(operation, key, stopped(operation, key));
            }
            Slot slot = operation.registry.find(key);
            if (slot instanceof Retained retained) {
                if (operation.engine.retained.read(retained)) {
                    operation.books.retainedHits.increment();
                    return retained;
                }
                operation.registry.remove(retained);
                continue;
            }
            if (wait == NOW) {
                throw operation.books.refused(
                        key, Result.WAIT_TIMEOUT, new WaitTimeoutException(operation.subject(key), Duration.ZERO));
            }
            if (blocks && Thread.currentThread().isInterrupted()) {
                throw operation.books.refused(
                        key, Result.INTERRUPTED, new FlightInterruptedException(operation.subject(key), Duration.ZERO));
            }
            Arrival arrival = slot instanceof Flight flight
                    ? join(operation, key, flight, blocked)
                    : start(operation, key, param, blocked, blocks, inside);
            if (arrival != null) {
                return arrival;
            }
        }
    }

    private static @Nullable Arrival join(
            Operation<?, ?> operation, Object key, Flight flight, @Nullable Runner blocked) {
        if (blocked != null) {
            List<String> cycle = blocked.waitToJoin(flight);
            if (cycle != null) {
                throw refuse(operation, key, new FlightCycleException(operation.subject(key), cycle));
            }
        }
        switch (flight.join(flight.operation.policy.maxWaiters())) {
            case ATTACHED -> {
                operation.books.joined.increment();
                return flight;
            }
            case FULL ->
                throw refuse(
                        operation,
                        key,
                        new TooManyWaitersException(operation.subject(key), flight.operation.policy.maxWaiters()));
            default -> {
                operation.registry.remove(flight);
                return null;
            }
        }
    }

    private static @Nullable Arrival start(
            Operation<?, ?> operation,
            Object key,
            @Nullable Object param,
            @Nullable Runner blocked,
            boolean blocks,
            boolean inside) {
        SingleFlightEngine engine = operation.engine;
        Flight flight =
                new Flight(operation, key, param, operation.policy.leaderRun() && blocks, engine.ticker.getAsLong());
        Attempt first = (Attempt) flight.state(); // nobody else can move it yet
        boolean admitted = false;
        try {
            if (!operation.registry.putIfAbsent(flight)) {
                return null;
            }
            admitted = engine.admission.admit(inside);
        } finally {
            if (admitted) {
                flight.open();
            } else {
                // also where the key broke: the map may have the flight then, and callers that wait for it to open
                flight.stayClosed();
                operation.registry.remove(flight);
            }
        }
        if (!admitted) {
            throw refuse(
                    operation,
                    key,
                    engine.admission.accepts(inside)
                            ? new TooManyFlightsException(operation.subject(key), engine.admission.maxFlights())
                            : stopped(operation, key));
        }
        try {
            operation.books.flightStarted(key);
            first.lead();
            if (blocked != null) {
                blocked.waitFor(flight);
            }
            return first;
        } catch (Throwable broken) {
            first.giveUp(broken);
            throw broken;
        }
    }

    private static RuntimeException refuse(Operation<?, ?> operation, Object key, SingleFlightException refusal) {
        return operation.books.refused(key, Result.REJECTED, refusal);
    }

    private static SingleFlightException stopped(Operation<?, ?> operation, Object key) {
        return new FlightUnavailableException(operation.subject(key), "the engine is stopped", Duration.ZERO, null);
    }
}
