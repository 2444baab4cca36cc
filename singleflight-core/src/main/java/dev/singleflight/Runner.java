package dev.singleflight;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A thread while it runs attempts, as seen by those who look for cycles. Attempts of leaders nest on one thread, so the
 * question "does that flight wait for me" is one about threads: a flight waits for the thread that runs its current
 * attempt, and that thread waits for at most one flight.
 *
 * <p>Every cycle has a last edge. An edge to a flight that its own caller starts is never the last one, because that
 * flight's edges come after it; so only joining needs a look. Joins set their edge and look under one lock, shared by
 * all engines since a cycle may lead through several: of two that would close a cycle together, the second sees the
 * first. The lock is taken only by blocking calls from inside attempts that join.
 */
final class Runner {

    private static final ThreadLocal<@Nullable Runner> CURRENT = new ThreadLocal<>();
    private static final ReentrantLock JOINING = new ReentrantLock();

    /** The flight that this thread is blocked on, or leads: set before any attempt of it can run elsewhere. */
    private volatile @Nullable Flight waitingFor;

    /** Whether this thread is inside a stop of an engine, or was: what it runs around that ends with its own outcome. */
    volatile boolean stopping;

    /** The innermost attempt; others look at it only while this thread waits in a cycle, hence stands still. */
    private @Nullable Attempt attempt;

    /** Returns the runner of this thread, or null outside of attempts. */
    static @Nullable Runner current() {
        return CURRENT.get();
    }

    /** Whether this thread is inside an attempt of the engine. */
    boolean isInside(SingleFlightEngine engine) {
        for (Attempt a = attempt; a != null; a = a.outer) {
            if (a.flight.operation.engine == engine) {
                return true;
            }
        }
        return false;
    }

    /** Whether the attempt is the innermost one; only a hint to other threads. */
    boolean isAt(Attempt candidate) {
        return attempt == candidate;
    }

    /** Notes that this thread runs the attempt from now on, until {@link #exit}. */
    static Runner enter(Attempt attempt) {
        Runner runner = CURRENT.get();
        if (runner == null) {
            runner = new Runner();
            CURRENT.set(runner);
        }
        attempt.outer = runner.attempt;
        attempt.runner(runner);
        runner.attempt = attempt;
        return runner;
    }

    /** Ends what {@link #enter} began, and whatever in it could not end for want of stack. */
    void exit(Attempt entered) {
        attempt = entered.outer;
        if (attempt == null) {
            CURRENT.set(null); // not remove(): every look from this thread would put a new, empty entry there
        }
    }

    @Nullable
    Flight waitingFor() {
        return waitingFor;
    }

    /** Notes that this thread waits for a flight that it starts itself, or again for what it waited for before. */
    void waitFor(@Nullable Flight flight) {
        waitingFor = flight;
    }

    /** Notes that this thread is about to wait for a running flight; or returns the cycle which that would close. */
    @Nullable
    List<String> waitToJoin(Flight joined) {
        JOINING.lock();
        try {
            List<Flight> path = pathFrom(joined);
            if (path == null) {
                waitingFor = joined;
                return null;
            }
            return names(path);
        } finally {
            JOINING.unlock();
        }
    }

    /** Whether the flight is run by this thread, or waits for it through others. */
    boolean isAwaitedBy(Flight flight) {
        return pathFrom(flight) != null;
    }

    /** Whether the flight waits, directly or through others, for a thread that stops an engine. */
    static boolean leadsToStop(Flight start) {
        for (Flight flight = start; flight != null; ) {
            Runner runner = flight.runner();
            if (runner == null) {
                return false;
            }
            if (runner.stopping) {
                return true;
            }
            flight = runner.next(flight);
        }
        return false;
    }

    private @Nullable List<Flight> pathFrom(Flight start) {
        List<Flight> path = new ArrayList<>();
        for (Flight flight = start; flight != null; ) {
            path.add(flight);
            Runner runner = flight.runner();
            if (runner == this) {
                return path;
            }
            flight = runner == null ? null : runner.next(flight);
        }
        return null;
    }

    /** Names the flights of a cycle in their order, with those of leaders that lie between two of them on one thread. */
    private static List<String> names(List<Flight> cycle) {
        List<String> names = new ArrayList<>();
        for (Flight flight : cycle) {
            names.add(flight.operation.name());
            Runner runner = flight.runner();
            int next = names.size();
            for (Attempt a = runner == null ? null : runner.attempt; a != null && a.flight != flight; a = a.outer) {
                names.add(next, a.flight.operation.name());
            }
        }
        names.add(cycle.get(0).operation.name());
        return names;
    }

    /** The flight that this thread waits for; a leader does not wait for the one whose attempt it runs. */
    private @Nullable Flight next(Flight from) {
        Flight next = waitingFor;
        return next == from ? null : next;
    }
}
