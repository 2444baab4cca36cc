package dev.singleflight;

import dev.singleflight.EngineSnapshot.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stops and starts an engine. Admission closes first, in the same word that flights are counted in; then those under way
 * come to their end, or are ended; every key is detached, so that whatever settles later can retain nothing. A start in
 * the middle of a stop overtakes it.
 *
 * <p>A stop takes what it will end and detaches every key in the step in which it makes sure that no start has overtaken
 * it, so it touches nothing of a later start. A flight that was admitted, but was not under its key yet when the stop
 * looked, is ended by the caller that starts it, who looks at the state afterwards.
 */
final class LifeCycle {

    /** How often a stop from inside a flight looks whether others have come to wait for that flight. */
    private static final long LOOK_NANOS = 10_000_000;

    private final SingleFlightEngine engine;
    private final Admission admission;
    private final long shutdownNanos;

    /** Held for a start, and for the first and the last step of a stop; no flight ends and nobody waits under it. */
    private final ReentrantLock changing = new ReentrantLock();

    private final AtomicInteger starts = new AtomicInteger();

    /** Set under {@link #changing}. */
    private volatile boolean closed;

    LifeCycle(SingleFlightEngine engine, long shutdownNanos) {
        this.engine = engine;
        this.admission = engine.admission;
        this.shutdownNanos = shutdownNanos;
    }

    void start() {
        changing.lock();
        try {
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
        } finally {
            changing.unlock();
        }
    }

    void close() {
        stop(true);
        if (admission.flights() == 0) {
            engine.timers.shutdown();
        }
        engine.workers.shutdown();
    }

    /** The last flight of a stopped engine is over: it may have outlived a close, and with it the timers that it needed. */
    void lastFlightSettled() {
        if (closed) {
            engine.timers.shutdown();
        }
    }

    void stop() {
        stop(false);
    }

    private void stop(boolean forGood) {
        int started = beginStop(forGood);
        Runner self = Runner.current();
        if (self != null) {
            self.stopping = true;
        }
        try {
            drain(self, started);
            endStop(self, started).forEach(Flight::shutDown);
        } finally {
            if (self != null) {
                self.stopping = false;
            }
        }
    }

    private int beginStop(boolean forGood) {
        changing.lock();
        try {
            closed |= forGood;
            admission.become(State.RUNNING, State.CLOSING);
            return starts.get();
        } finally {
            changing.unlock();
        }
    }

    /** Returns the flights that are left to be ended. */
    private List<Flight> endStop(@Nullable Runner self, int started) {
        List<Flight> left = new ArrayList<>();
        changing.lock();
        try {
            if (starts.get() == started) {
                admission.become(State.CLOSING, State.CLOSED);
                engine.forEachFlight(flight -> {
                    if (!isExcepted(flight, self)) {
                        left.add(flight);
                    }
                });
                engine.detachAll();
            }
        } finally {
            changing.unlock();
        }
        return left;
    }

    /** Waits for flights to end; gives up at the timeout, when interrupted, or when the engine was started again. */
    private void drain(@Nullable Runner self, int started) {
        long deadline = System.nanoTime() + shutdownNanos;
        for (; ; ) {
            long reading = admission.reading();
            long rest = deadline - System.nanoTime();
            if (rest <= 0 || starts.get() != started || admission.flights() == 0 || self != null && allExcepted(self)) {
                return;
            }
            try {
                admission.awaitChange(reading, self == null ? rest : Math.min(rest, LOOK_NANOS));
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
