package dev.singleflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One shared execution for a key. It owns its waiters, its attempts and its pauses; nobody else settles it. Three fields
 * decide all races, each changed by single atomic steps:
 *
 * <p>{@link #state} is what goes on: an {@link Attempt}, a {@link Pause} before the next one, or {@link #SETTLED}. A
 * signal (a completion, a timeout, the end of a pause) carries the attempt or pause that it was meant for and replaces
 * just that one, so a late signal changes nothing, and exactly one signal settles.
 *
 * <p>{@link #attached} counts the callers, and closes the door. Joining, leaving and closing each change it in one step:
 * a caller is attached before the door closes, and then the outcome is there for it, or it is turned away and looks at
 * the key again. The outcome is written, the key retained or free and the permit given back before the door closes:
 * whoever finds it closed sees all that. Under {@code cancel} the last caller to leave closes the door in the step of its
 * leaving, so no joiner slips in behind it to see a cancellation.
 *
 * <p>{@link #waiters} are those to be woken, a stack that ends as {@link #DRAINED}. A caller that is attached but not on
 * it when it is drained finds that out when it pushes, and takes the outcome itself. Callers that left are swept out once
 * they outnumber those that stay: each departure costs O(1) on the average, and what is left behind is bounded by what
 * is there.
 */
final class Flight extends Slot implements Arrival {

    private static final Object SETTLED = new Object();
    private static final int CLOSED = -1;
    private static final int SETTLED_BIT = 1 << 30;
    private static final Waiter DRAINED = ThreadWaiter.NOBODY;

    private static final VarHandle STATE;
    private static final VarHandle ATTACHED;
    private static final VarHandle WAITERS;
    private static final VarHandle STUCK;
    private static final VarHandle DEPARTED;
    private static final VarHandle SWEEPING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Flight.class, "state", Object.class);
            ATTACHED = lookup.findVarHandle(Flight.class, "attached", int.class);
            WAITERS = lookup.findVarHandle(Flight.class, "waiters", Waiter.class);
            STUCK = lookup.findVarHandle(Flight.class, "stuck", int.class);
            DEPARTED = lookup.findVarHandle(Flight.class, "departed", int.class);
            SWEEPING = lookup.findVarHandle(Flight.class, "sweeping", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final Operation<?, ?> operation;
    final @Nullable Object param;
    final long startedAt;

    /** Whether attempts run on callers' threads. */
    final boolean leaderRun;

    private volatile Object state;
    private volatile int attached = 1;
    private volatile @Nullable Waiter waiters;

    /** Links of {@link #waiters} whose callers have left. */
    private volatile int departed;

    private volatile boolean sweeping;

    /** Aborted attempts whose threads have not come back, and {@link #SETTLED_BIT}: who gives their permits back. */
    private volatile int stuck;

    /** Where the thread that leads waits for its next attempt; null while it is busy with one. */
    private volatile @Nullable ThreadWaiter leader;

    // written by the settling thread before the door closes
    private @Nullable Object result;
    private int attempts;
    private int served;

    Flight(Operation<?, ?> operation, Object key, @Nullable Object param, boolean leaderRun, long startedAt) {
        super(key, key.hashCode());
        this.operation = operation;
        this.param = param;
        this.leaderRun = leaderRun;
        this.startedAt = startedAt;
        this.state = new Attempt(this, 1);
    }

    // --- callers

    /** What became of an attempt to join. */
    enum Joining {
        ATTACHED,
        FULL,
        OVER
    }

    Joining join() {
        int max = operation.policy.maxWaiters();
        for (; ; ) {
            int now = attached;
            if (now == CLOSED) {
                return Joining.OVER;
            }
            if (now >= max) {
                return Joining.FULL;
            }
            if (ATTACHED.compareAndSet(this, now, now + 1)) {
                return Joining.ATTACHED;
            }
        }
    }

    /** Has the waiter woken at settlement; returns false if that is past and the outcome is there. */
    boolean push(Waiter waiter) {
        for (; ; ) {
            Waiter top = waiters;
            if (top == DRAINED) {
                return false;
            }
            waiter.next = top;
            if (WAITERS.compareAndSet(this, top, waiter)) {
                return true;
            }
        }
    }

    /** Whether the outcome is there for those who are attached. */
    boolean isClosed() {
        return attached == CLOSED;
    }

    /** Detaches a caller; returns false if the outcome came first. */
    boolean depart() {
        for (; ; ) {
            int now = attached;
            if (now == CLOSED) {
                return false;
            }
            boolean last = now == 1 && operation.policy.cancelWhenAbandoned();
            if (ATTACHED.compareAndSet(this, now, last ? CLOSED : now - 1)) {
                if (last) {
                    stop(new Failure(new CancellationException(), Failure.Kind.CANCELLED));
                }
                return true;
            }
        }
    }

    /** Sweeps the stack once more callers have left than are there. The top link stays: joiners compete for it. */
    void sweep() {
        DEPARTED.getAndAdd(this, 1);
        while (departed > attached && SWEEPING.compareAndSet(this, false, true)) {
            int swept = sweepBelow(waiters);
            DEPARTED.getAndAdd(this, -swept);
            sweeping = false;
            if (swept == 0) {
                return;
            }
        }
    }

    private static int sweepBelow(@Nullable Waiter top) {
        int swept = 0;
        for (Waiter kept = top; kept != null; ) {
            Waiter below = kept.next;
            if (below != null && below.isGone()) {
                kept.next = below.next;
                swept++;
            } else {
                kept = below;
            }
        }
        return swept;
    }

    // --- attempts

    Attempt firstAttempt() {
        return (Attempt) state;
    }

    Object state() {
        return state;
    }

    void timeOut(Attempt attempt) {
        Duration timeout = Duration.ofNanos(operation.policy.timeout());
        end(
                attempt,
                new Failure(
                        new AttemptTimeoutException(subject(), attempt.number, timeout, elapsed()),
                        Failure.Kind.TIMEOUT));
    }

    void reject(Attempt attempt, Throwable cause) {
        if (STATE.compareAndSet(this, attempt, SETTLED)) {
            attempt.abort();
            settle(unavailable("its executor rejected the work", cause), attempt.number);
        }
    }

    /** An attempt has a result that counts: a retry follows, or settlement. */
    void end(Attempt attempt, @Nullable Object outcome) {
        Pause pause = null;
        if (outcome instanceof Failure failure && operation.policy.retries(failure, attempt.number)) {
            pause = new Pause(this, attempt.number + 1, operation.policy.delayAfter(attempt.number));
        }
        if (!STATE.compareAndSet(this, attempt, pause == null ? SETTLED : pause)) {
            return;
        }
        attempt.abort(); // nothing to do unless it was overtaken by its timeout
        operation.books.attemptEnded(this, attempt, outcome, pause);
        if (pause == null) {
            settle(outcome, attempt.number);
        } else {
            pause.arm();
        }
    }

    /** A pause is over: the next attempt goes to the leader, or to whoever takes its place. */
    void resume(Pause pause) {
        Attempt next = new Attempt(this, pause.nextAttempt);
        if (STATE.compareAndSet(this, pause, next)) {
            ThreadWaiter waiting = leader;
            if (waiting == null && leaderRun) {
                next.handOver(); // the leader ignores its interrupt
            } else if (waiting == null || !waiting.promote(next)) {
                assign(next);
            }
        }
    }

    /** The leader comes back from an attempt; returns the next one if it is its turn already. */
    @Nullable
    Attempt resumeOnLeader() {
        if (state instanceof Pause pause && pause.isOver()) {
            Attempt next = new Attempt(this, pause.nextAttempt);
            if (STATE.compareAndSet(this, pause, next)) {
                pause.disarm();
                return next;
            }
        }
        return null;
    }

    /** Replaces an attempt that ended because its leader was interrupted: the same number, no retry spent. */
    @Nullable
    Attempt renew(Attempt interrupted) {
        Attempt successor = new Attempt(this, interrupted.number);
        return STATE.compareAndSet(this, interrupted, successor) ? successor : null;
    }

    /** Gives the attempt to one waiting thread, or to a worker where none waits. */
    void assign(Attempt attempt) {
        if (leaderRun) {
            for (Waiter w = waiters; w != null; w = w.next) {
                if (w instanceof ThreadWaiter waiting && waiting.promote(attempt)) {
                    return;
                }
            }
        }
        attempt.handOver();
    }

    /** Where the leader waits, or {@link ThreadWaiter#NOBODY} once it has left; null when it goes to work. */
    void leader(@Nullable ThreadWaiter waiting) {
        leader = waiting;
    }

    boolean leaderIsBusy() {
        return leaderRun && leader == null;
    }

    /** The thread that runs the current attempt. */
    @Nullable
    Runner runner() {
        return state instanceof Attempt attempt ? attempt.runner : null;
    }

    void workerIsStuck() {
        operation.books.stuck.increment();
        STUCK.getAndAdd(this, 1);
    }

    /** Before settlement the flight's own permit covers its stuck workers; afterwards each has one, given back here. */
    void workerCameBack() {
        operation.books.stuck.decrement();
        if (((int) STUCK.getAndAdd(this, -1) & SETTLED_BIT) != 0) {
            operation.engine.admission.unstuck();
        }
    }

    // --- settlement

    /** Ends the flight from outside, unless it is over. */
    void stop(Failure failure) {
        for (; ; ) {
            Object now = state;
            if (now == SETTLED) {
                return;
            }
            if (STATE.compareAndSet(this, now, SETTLED)) {
                int number;
                if (now instanceof Attempt attempt) {
                    attempt.abort();
                    operation.books.attemptEnded(this, attempt, failure, null);
                    number = attempt.number;
                } else {
                    ((Pause) now).disarm();
                    number = ((Pause) now).nextAttempt - 1;
                }
                settle(failure, number);
                return;
            }
        }
    }

    /** Ends the flight because its engine stops. */
    void shutDown() {
        stop(unavailable("the engine was stopped", null));
    }

    /** Called once, by whoever moved {@link #state} to {@link #SETTLED}. */
    private void settle(@Nullable Object outcome, int attemptsMade) {
        result = outcome;
        attempts = attemptsMade;
        if (!operation.engine.retained.retain(this)) {
            operation.registry.remove(this);
        }
        if (operation.engine.admission.settled((int) STUCK.getAndAdd(this, SETTLED_BIT))) {
            operation.engine.lifeCycle.lastFlightSettled();
        }
        operation.books.flightSettled(this);
        close();
        Waiter all = (Waiter) WAITERS.getAndSet(this, DRAINED);
        for (Waiter w = all; w != null; w = w.next) {
            if (w instanceof ThreadWaiter) {
                w.settled();
            }
        }
        for (Waiter w = all; w != null; w = w.next) {
            if (!(w instanceof ThreadWaiter)) {
                w.settled();
            }
        }
    }

    private void close() {
        int now;
        do {
            now = attached;
            served = Math.max(now, 0);
        } while (!ATTACHED.compareAndSet(this, now, CLOSED));
    }

    Failure unavailable(String reason, @Nullable Throwable cause) {
        return new Failure(
                new FlightUnavailableException(subject(), reason, elapsed(), cause), Failure.Kind.UNAVAILABLE);
    }

    int attached() {
        return Math.max(attached, 0);
    }

    Timers timers() {
        return operation.engine.timers;
    }

    Subject subject() {
        return operation.subject(key);
    }

    Duration elapsed() {
        return operation.engine.elapsed(startedAt);
    }

    @Override
    public Flight flight() {
        return this;
    }

    @Override
    public Role role() {
        return Role.JOINED;
    }

    FlightSnapshot snapshot() {
        Object now = state;
        boolean paused = now instanceof Pause;
        int attempt = now instanceof Attempt running ? running.number : paused ? ((Pause) now).nextAttempt : attempts;
        return new FlightSnapshot(
                AdHocKey.unwrap(key),
                paused ? FlightSnapshot.State.RETRY_DELAY : FlightSnapshot.State.RUNNING,
                attempt,
                elapsed(),
                attached());
    }

    @Override
    @Nullable
    Object result() {
        return result;
    }

    @Override
    int attempts() {
        return attempts;
    }

    @Override
    int served() {
        return served;
    }
}
