package dev.singleflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One shared execution for a key. It owns its waiters, its attempts and its pauses; nobody else settles it.
 *
 * <p>{@link #state} is what goes on: an {@link Attempt}, a {@link Pause} before the next one, or {@link #SETTLED}. A
 * signal (a completion, a timeout, the end of a pause) carries the attempt or pause that it was meant for and replaces
 * just that one in one atomic step: a late signal changes nothing, and exactly one signal settles. Whoever makes the step
 * does what follows from it.
 */
final class Flight extends WaitingRoom implements Arrival {

    private static final Object SETTLED = new Object();
    private static final int SETTLED_BIT = 1 << 30;

    private static final VarHandle STATE;
    private static final VarHandle STUCK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Flight.class, "state", Object.class);
            STUCK = lookup.findVarHandle(Flight.class, "stuck", int.class);
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

    /** Aborted attempts whose threads have not come back; with {@link #SETTLED_BIT} they give permits back themselves. */
    private volatile int stuck;

    /** Where the thread that leads waits for its next attempt; null while it is busy with one. */
    private volatile @Nullable ThreadWaiter leader;

    // written by the settling thread before the door closes
    private @Nullable Object result;
    private int attempts;

    @SuppressWarnings("NullAway.Init") // the state is set through its handle
    Flight(Operation<?, ?> operation, Object key, @Nullable Object param, boolean leaderRun, long startedAt) {
        super(key);
        this.operation = operation;
        this.param = param;
        this.leaderRun = leaderRun;
        this.startedAt = startedAt;
        STATE.set(this, new Attempt(this, 1, true)); // plain: the registry publishes it
    }

    @Override
    public Flight flight() {
        return this;
    }

    @Override
    public Role role() {
        return Role.JOINED;
    }

    /** An attempt has a result that counts: a pause and a retry follow, or settlement. */
    void end(Attempt attempt, @Nullable Object outcome) {
        Pause pause = null;
        if (outcome instanceof Failure failure && operation.policy.retries(failure, attempt.number)) {
            pause = new Pause(this, attempt.number + 1, operation.policy.delayAfter(attempt.number));
        }
        if (!STATE.compareAndSet(this, attempt, pause == null ? SETTLED : pause)) {
            return;
        }
        CompletionStage<?> overtaken = null;
        try {
            overtaken = attempt.abort(); // does nothing unless its timeout overtook it
            operation.books.attemptEnded(this, attempt, outcome, pause);
        } finally {
            if (pause == null) {
                settle(outcome, attempt.number, attempt.number == 1, overtaken);
            } else {
                pause.arm();
                Attempt.cancel(overtaken);
            }
        }
    }

    void timeOut(Attempt attempt) {
        Duration timeout = Duration.ofNanos(operation.policy.timeout());
        AttemptTimeoutException exception = new AttemptTimeoutException(subject(), attempt.number, timeout, elapsed());
        end(attempt, new Failure(exception, Failure.Kind.TIMEOUT));
    }

    /** Nobody runs the attempt, or nobody could bring it to its end. */
    void reject(Attempt attempt, String reason, Throwable cause) {
        if (STATE.compareAndSet(this, attempt, SETTLED)) {
            attempt.abort();
            settle(unavailable(reason, cause), attempt.number, attempt.number == 1, null);
        }
    }

    /** A pause is over: the next attempt goes to the leader, or to whoever takes its place. */
    void resume(Pause pause) {
        Attempt next = new Attempt(this, pause.nextAttempt, false);
        if (STATE.compareAndSet(this, pause, next)) {
            ThreadWaiter waiting = leader;
            if (leaderRun && waiting == null) {
                next.handOver(); // the leader ignores its interrupt
            } else if (waiting == null || !waiting.promote(next)) {
                assign(next);
            }
        }
    }

    /** The leader comes back from an attempt; returns the next one if its time has come already. */
    @Nullable
    Attempt resumeOnLeader() {
        if (state instanceof Pause pause && pause.isOver()) {
            Attempt next = new Attempt(this, pause.nextAttempt, false);
            if (STATE.compareAndSet(this, pause, next)) {
                pause.disarm();
                return next;
            }
        }
        return null;
    }

    /**
     * Replaces an attempt whose leader was interrupted, under the same number; returns null if it is over anyway.
     *
     * @param onTrust whether the interrupt is only guessed from what the work threw
     */
    @Nullable
    Attempt renew(Attempt interrupted, boolean onTrust) {
        Attempt successor = new Attempt(this, interrupted.number, false);
        successor.renewedOnTrust = onTrust || interrupted.renewedOnTrust;
        return STATE.compareAndSet(this, interrupted, successor) ? successor : null;
    }

    /** Gives the attempt to one waiting thread, or to a worker where none waits. */
    void assign(Attempt attempt) {
        for (Waiter waiter = leaderRun ? latest() : null; waiter != null; waiter = waiter.next) {
            if (waiter instanceof ThreadWaiter waiting && waiting.promote(attempt)) {
                return;
            }
        }
        attempt.handOver();
    }

    /** Where the leader waits, or {@link ThreadWaiter#NOBODY} once it has left; null when it goes to work. */
    void leader(@Nullable ThreadWaiter waiting) {
        if (leader != waiting) {
            leader = waiting;
        }
    }

    boolean leaderIsBusy() {
        return leaderRun && leader == null;
    }

    /** The thread that runs the current attempt. */
    @Nullable
    Runner runner() {
        return state instanceof Attempt attempt ? attempt.runner() : null;
    }

    /**
     * Before settlement the flight's own permit covers its stuck workers; afterwards each has one, taken by the settlement
     * or, where the abort comes later than that, here.
     */
    void workerIsStuck() {
        operation.books.stuck.increment();
        if (isSettled((int) STUCK.getAndAdd(this, 1))) {
            operation.engine.admission.stuck();
        }
    }

    void workerCameBack() {
        operation.books.stuck.decrement();
        if (isSettled((int) STUCK.getAndAdd(this, -1))) {
            operation.engine.admission.unstuck();
        }
    }

    private static boolean isSettled(int stuck) {
        return (stuck & SETTLED_BIT) != 0;
    }

    @Override
    boolean endsWhenAbandoned() {
        return operation.policy.cancelWhenAbandoned();
    }

    @Override
    void abandoned() {
        stop(new Failure(new CancellationException(), Failure.Kind.CANCELLED));
    }

    /** Ends the flight from outside, unless it is over. */
    void stop(Failure failure) {
        for (Object now = state; now != SETTLED; now = state) {
            if (STATE.compareAndSet(this, now, SETTLED)) {
                if (now instanceof Attempt attempt) {
                    CompletionStage<?> stopped = attempt.abort();
                    operation.books.attemptEnded(this, attempt, failure, null);
                    settle(failure, attempt.number, attempt.number == 1, stopped);
                } else {
                    ((Pause) now).disarm();
                    settle(failure, ((Pause) now).nextAttempt - 1, false, null);
                }
                return;
            }
        }
    }

    /** Ends the flight because the engine could not go on with it, out of memory or stack. */
    void breakDown(Throwable cause) {
        stop(unavailable("the engine could not go on with it", cause));
    }

    /**
     * Called once, by whoever moved {@link #state} to {@link #SETTLED}; whatever fails, the key becomes free and everybody
     * is woken. An outcome that is kept takes the key before the permit is back: a stop that has seen all permits back can
     * let go of all that is kept. A key becomes free after that: while it leads here its callers join, so none is refused
     * for want of this permit.
     *
     * @param first whether no attempt went before, which might be on its way to being stuck
     * @param overtaken the stage to cancel, after the key is free: that runs code of the user's, which may call the key
     */
    private void settle(
            @Nullable Object outcome, int attemptsMade, boolean first, @Nullable CompletionStage<?> overtaken) {
        result = outcome;
        attempts = attemptsMade;
        boolean retained = false;
        try {
            retained = operation.engine.retained.retain(this);
        } catch (Throwable notKept) {
            // for want of memory, say: the callers have the outcome all the same
        } finally {
            publish(retained, first && stuck == 0 ? 0 : (int) STUCK.getAndAdd(this, SETTLED_BIT), overtaken);
        }
    }

    private void publish(boolean retained, int stuckWorkers, @Nullable CompletionStage<?> overtaken) {
        if (operation.engine.admission.settled(stuckWorkers)) {
            operation.engine.lifeCycle.lastFlightSettled();
        }
        if (!retained) {
            operation.registry.remove(this);
        }
        try {
            Attempt.cancel(overtaken);
            operation.books.flightSettled(this);
            operation.definition.settled(param, result instanceof Failure failure ? failure.throwable() : null);
        } finally {
            close();
            wakeAll();
        }
    }

    Failure unavailable(String reason, @Nullable Throwable cause) {
        return new Failure(
                new FlightUnavailableException(subject(), reason, elapsed(), cause), Failure.Kind.UNAVAILABLE);
    }

    Subject subject() {
        return operation.subject(key);
    }

    Duration elapsed() {
        return operation.engine.elapsed(startedAt);
    }

    Object state() {
        return state;
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
}
