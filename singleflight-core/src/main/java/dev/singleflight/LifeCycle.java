package dev.singleflight;

import dev.singleflight.EngineSnapshot.State;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stops and starts an engine. Admission closes first, in the same word that flights are counted in; then those under way
 * come to their end, or are ended; then every key is detached, so that whatever settles later can retain nothing. A
 * start in the middle of a stop overtakes it.
 */
final class LifeCycle {

    /** How often a stop from inside a flight looks whether others have come to wait for that flight. */
    private static final long LOOK_NANOS = 10_000_000;

    private final SingleFlightEngine engine;
    private final Admission admission;
    private final long shutdownNanos;
    private final AtomicInteger starts = new AtomicInteger();
    private volatile boolean closed;

    LifeCycle(SingleFlightEngine engine, long shutdownNanos) {
        this.engine = engine;
        this.admission = engine.admission;
        this.shutdownNanos = shutdownNanos;
    }

    void start() {
        if (closed) {
            throw new IllegalStateException("A closed engine cannot be started again; build a new one");
        }
        if (admission.state() != State.RUNNING) {
            starts.incrementAndGet();
            engine.detachAll();
            if (!admission.become(State.CLOSED, State.RUNNING)) {
                admission.become(State.CLOSING, State.RUNNING);
            }
        }
    }

    void close() {
        closed = true;
        stop();
        engine.timers.shutdown(admission.flights() == 0);
        engine.workers.shutdown();
    }

    void stop() {
        int started = starts.get();
        admission.become(State.RUNNING, State.CLOSING);
        Runner self = Runner.current();
        if (self != null) {
            self.stopping = true;
        }
        try {
            drain(self, started);
            if (starts.get() == started) {
                engine.forEachFlight(flight -> {
                    if (!isExcepted(flight, self)) {
                        flight.stop(flight.unavailable("the engine was stopped", null));
                    }
                });
                engine.detachAll();
                admission.become(State.CLOSING, State.CLOSED);
            }
        } finally {
            if (self != null) {
                self.stopping = false;
            }
        }
    }

    /** Waits for flights to end; gives up at the timeout, when interrupted, or when the engine was started again. */
    private void drain(@Nullable Runner self, int started) {
        long deadline = System.nanoTime() + shutdownNanos;
        for (; ; ) {
            int flights = admission.flights();
            long rest = deadline - System.nanoTime();
            if (rest <= 0 || starts.get() != started || flights == 0 || self != null && allExcepted(self)) {
                return;
            }
            try {
                admission.awaitChange(flights, self == null ? rest : Math.min(rest, LOOK_NANOS));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean allExcepted(Runner self) {
        boolean[] all = {true};
        engine.forEachFlight(flight -> all[0] &= isExcepted(flight, self));
        return all[0];
    }

    /** Flights that cannot end before this stop returns: those that wait for the thread it is called on, or stop too. */
    private static boolean isExcepted(Flight flight, @Nullable Runner self) {
        if (self == null) {
            return false;
        }
        return self.isAwaitedBy(flight) || Runner.leadsToStop(flight);
    }
}
