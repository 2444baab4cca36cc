package dev.singleflight;

import dev.singleflight.EngineSnapshot.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stops and starts an engine. Admission closes first, in the same word that flights are counted in; then those under way
 * come to their end, or are ended; then every key is detached, so that whatever settles later can retain nothing. A
 * start in the middle of a stop overtakes it.
 */
final class LifeCycle {

    /** How often a stop from inside a flight looks whether others have come to wait for that flight. */
    private static final long LOOK_NANOS = 10_000_000;

    private static final int STOPPED = -1;

    private final SingleFlightEngine engine;
    private final Admission admission;
    private final long shutdownNanos;

    /** Held for changes of the state, never while anything is waited for or user code runs. */
    private final ReentrantLock transition = new ReentrantLock();

    private volatile int starts;
    private volatile boolean closed;

    LifeCycle(SingleFlightEngine engine, long shutdownNanos) {
        this.engine = engine;
        this.admission = engine.admission;
        this.shutdownNanos = shutdownNanos;
    }

    void start() {
        transition.lock();
        try {
            if (closed) {
                throw new IllegalStateException("A closed engine cannot be started again; build a new one");
            }
            if (admission.state() != State.RUNNING) {
                starts++;
                engine.keys.detachAll();
                admission.become(State.RUNNING);
            }
        } finally {
            transition.unlock();
        }
    }

    /** Stops for good. The engine's threads stay for a flight that outlives this: one that it is called from. */
    void close() {
        closed = true;
        stop();
        if (admission.flights() == 0) {
            lastFlightSettled();
        }
    }

    void lastFlightSettled() {
        if (closed && admission.state() == State.CLOSED) {
            engine.timers.shutdown();
            engine.workers.shutdown();
        }
    }

    void stop() {
        int startsSeen = beginStop();
        if (startsSeen == STOPPED) {
            return;
        }
        Runner self = Runner.current();
        if (self != null) {
            self.stopping = true;
        }
        drain(self, startsSeen);
        for (Flight flight : endStop(self, startsSeen)) {
            flight.stop(flight.unavailable("the engine was stopped", null));
        }
    }

    private int beginStop() {
        transition.lock();
        try {
            switch (admission.state()) {
                case RUNNING -> admission.become(State.CLOSING);
                case CLOSED -> {
                    return STOPPED;
                }
                case CLOSING -> {
                    // another stop is under way; this one waits as well
                }
            }
            return starts;
        } finally {
            transition.unlock();
        }
    }

    /** Waits for flights to end; gives up at the timeout, when interrupted, or when the engine was started again. */
    private void drain(@Nullable Runner self, int startsSeen) {
        long deadline = System.nanoTime() + shutdownNanos;
        try {
            while (starts == startsSeen && admission.flights() > 0 && (self == null || !isAllExcepted(self))) {
                long rest = deadline - System.nanoTime();
                if (rest <= 0) {
                    return;
                }
                admission.awaitWhile(
                        () -> starts == startsSeen && admission.flights() > 0,
                        self == null ? rest : Math.min(rest, LOOK_NANOS));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the engine and detaches its keys; returns the flights that are to be ended, once no lock is held. */
    private List<Flight> endStop(@Nullable Runner self, int startsSeen) {
        List<Flight> rest = new ArrayList<>();
        transition.lock();
        try {
            if (starts == startsSeen) {
                admission.become(State.CLOSED);
                engine.keys.forEachFlight(flight -> {
                    if (self == null || !isExcepted(flight, self)) {
                        rest.add(flight);
                    }
                });
                engine.keys.detachAll();
            }
        } finally {
            transition.unlock();
        }
        return rest;
    }

    private boolean isAllExcepted(Runner self) {
        boolean[] all = {true};
        engine.keys.forEachFlight(flight -> all[0] &= isExcepted(flight, self));
        return all[0];
    }

    /** Flights that cannot end before this stop returns: they wait for its thread, or for another that stops too. */
    private static boolean isExcepted(Flight flight, Runner self) {
        return self.isAwaitedBy(flight) || Runner.leadsToStop(flight);
    }
}
