package dev.singleflight;

import dev.singleflight.FlightListener.AttemptEnded;
import dev.singleflight.FlightListener.CallEnded;
import dev.singleflight.FlightListener.FlightSettled;
import dev.singleflight.FlightListener.Result;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The figures of a name, and what the listeners are told of it. A figure is written before the caller concerned goes on. */
final class Bookkeeping {

    final String name;

    final LongAdder executions = new LongAdder();
    final LongAdder joined = new LongAdder();
    final LongAdder retainedHits = new LongAdder();
    final LongAdder rejected = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder waitTimeouts = new LongAdder();
    final LongAdder interrupted = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder forgotten = new LongAdder();

    // as things stand now
    final LongAdder retainedItems = new LongAdder();
    final LongAdder stuck = new LongAdder();

    private final SingleFlightEngine engine;
    private final Listeners listeners;

    Bookkeeping(String name, SingleFlightEngine engine) {
        this.name = name;
        this.engine = engine;
        this.listeners = engine.listeners;
    }

    /** Returns the time of arrival; zero where nobody listens and hence nobody asks. */
    long callStarted(Object key) {
        if (!listeners.any()) {
            return 0;
        }
        Object exposed = engine.exposed(key);
        listeners.tell(listener -> listener.callStarted(name, exposed));
        return engine.ticker.getAsLong();
    }

    void flightStarted(Object key) {
        executions.increment();
        if (listeners.any()) {
            Object exposed = engine.exposed(key);
            listeners.tell(listener -> listener.flightStarted(name, exposed));
        }
    }

    void attemptEnded(Flight flight, Attempt attempt, @Nullable Object outcome, @Nullable Pause pause) {
        Result result = Result.of(outcome);
        if (result == Result.FAILURE) {
            failures.increment();
        } else if (result == Result.TIMEOUT) {
            timeouts.increment();
        }
        if (pause != null) {
            retries.increment();
        }
        FlightRecording.attemptEnded(name, attempt.number, result);
        if (listeners.any()) {
            AttemptEnded event = new AttemptEnded(
                    name,
                    engine.exposed(flight.key),
                    attempt.number,
                    result,
                    pause == null ? null : Duration.ofNanos(pause.nanos));
            listeners.tell(listener -> listener.attemptEnded(event));
        }
    }

    void flightSettled(Flight flight) {
        Result result = Result.of(flight.result());
        FlightRecording.flightSettled(name, flight, result);
        if (listeners.any()) {
            FlightSettled event =
                    new FlightSettled(name, engine.exposed(flight.key), flight.attempts(), result, flight.elapsed());
            listeners.tell(listener -> listener.flightSettled(event));
        }
    }

    /** Notes that a caller is turned away, and returns what it is told. */
    RuntimeException refused(Object key, Result result, SingleFlightException refusal) {
        turnedAway(key, result);
        return refusal;
    }

    void turnedAway(Object key, Result result) {
        rejected.increment();
        count(result);
        tellCallEnded(key, null, result, Duration.ZERO);
    }

    void callEnded(Object key, @Nullable Role role, Result result, long start) {
        count(result);
        if (listeners.any()) {
            tellCallEnded(key, role, result, engine.elapsed(start));
        }
    }

    private void count(Result result) {
        switch (result) {
            case WAIT_TIMEOUT -> waitTimeouts.increment();
            case INTERRUPTED -> interrupted.increment();
            case CANCELLED -> cancelled.increment();
            default -> {
                // counted by role and by attempt
            }
        }
    }

    private void tellCallEnded(Object key, @Nullable Role role, Result result, Duration elapsed) {
        if (listeners.any()) {
            CallEnded event = new CallEnded(name, engine.exposed(key), role, result, elapsed);
            listeners.tell(listener -> listener.callEnded(event));
        }
    }

    void forgotten(int keys) {
        if (keys > 0) {
            forgotten.add(keys);
            listeners.tell(listener -> listener.forgotten(name, keys));
        }
    }
}
