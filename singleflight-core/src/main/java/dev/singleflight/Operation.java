package dev.singleflight;

import dev.singleflight.FlightListener.Result;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A definition bound to an engine with its settings: what callers use. Handles of one definition on one engine share its
 * keys whatever their settings; the settings of the caller that starts a flight rule that flight, save for each caller's
 * own {@code waitTimeout}. Handles stay valid when the engine is stopped and started.
 *
 * <p>Every way to call may be refused, at once and for this caller only: {@link FlightUnavailableException} while the
 * engine is stopped, {@link TooManyFlightsException}, {@link TooManyWaitersException}, and
 * {@link IllegalArgumentException} for a null key. What the key function throws comes through as it is.
 *
 * @param <P> type of the parameter
 * @param <R> type of the result
 */
public final class Operation<P extends @Nullable Object, R extends @Nullable Object> {

    final SingleFlightEngine engine;
    final OperationDefinition<P, R> definition;
    final FlightRegistry registry;
    final Bookkeeping books;
    final Policy policy;
    final @Nullable DeadlineQueue timeouts;

    Operation(
            SingleFlightEngine engine,
            OperationDefinition<P, R> definition,
            FlightRegistry registry,
            Bookkeeping books,
            Policy policy) {
        this.engine = engine;
        this.definition = definition;
        this.registry = registry;
        this.books = books;
        this.policy = policy;
        this.timeouts = policy.timeout() == 0 ? null : engine.deadlines(policy.timeout());
    }

    /**
     * Returns the name of the definition.
     *
     * @return the label in settings, meters and messages
     */
    public String name() {
        return definition.name();
    }

    /**
     * Joins or starts the flight of the parameter's key and blocks until its outcome is there, at most for the
     * {@code waitTimeout} of this handle.
     *
     * @param param the parameter; null where the key function takes it
     * @return the value, shared with every caller of the flight
     * @throws OperationFailedException if the work failed; its cause is what the work threw
     * @throws AttemptTimeoutException if the last attempt timed out
     * @throws WaitTimeoutException if this caller's time is over; the flight goes on
     * @throws FlightInterruptedException if this thread is interrupted; its flag is set, the flight goes on
     * @throws FlightCycleException if called by work that the flight waits for
     * @throws FlightUnavailableException if the engine is stopped, or its executor rejected the work
     * @throws TooManyFlightsException if no flight may start
     * @throws TooManyWaitersException if no caller may join
     */
    public R call(P param) {
        return Casts.unchecked(callBlocking(param, keyOf(param), policy.waitTimeout(), false));
    }

    /**
     * Does what {@link #call(Object)} does, with a deadline for this call.
     *
     * @param param the parameter
     * @param wait how long to wait at most; zero for a retained outcome or nothing, without starting or joining
     * @return the value
     * @throws IllegalArgumentException if the time is negative
     */
    public R call(P param, Duration wait) {
        return Casts.unchecked(callBlocking(param, keyOf(param), waitOf(wait), false));
    }

    /**
     * Does what {@link #call(Object)} does and returns a failed flight instead of throwing.
     *
     * @param param the parameter
     * @return the outcome of the flight and this caller's part in it; thrown is only what concerns this caller: its
     *     deadline, its interrupt, a refusal
     */
    public Outcome<R> callForOutcome(P param) {
        return Casts.unchecked(callBlocking(param, keyOf(param), policy.waitTimeout(), true));
    }

    /**
     * Does what {@link #callForOutcome(Object)} does, with a deadline for this call.
     *
     * @param param the parameter
     * @param wait how long to wait at most; zero for a retained outcome or nothing
     * @return the outcome
     * @throws IllegalArgumentException if the time is negative
     */
    public Outcome<R> callForOutcome(P param, Duration wait) {
        return Casts.unchecked(callBlocking(param, keyOf(param), waitOf(wait), true));
    }

    /**
     * Joins or starts the flight of the parameter's key and returns at once. Completing or cancelling the future leaves
     * the flight, and harms nobody else. It is completed by the thread that settles the flight; where the flight started
     * here, its attempts run on workers. Waiting for it inside work is not seen by the search for cycles.
     *
     * @param param the parameter
     * @return this caller's own future; it fails with what the work threw, or with the engine's exception, refusals too
     */
    public CompletableFuture<R> callAsync(P param) {
        return callAsync(param, policy.waitTimeout());
    }

    /**
     * Does what {@link #callAsync(Object)} does, with a deadline for this call.
     *
     * @param param the parameter
     * @param wait how long to wait at most; zero for a retained outcome or nothing
     * @return this caller's own future
     * @throws IllegalArgumentException if the time is negative
     */
    public CompletableFuture<R> callAsync(P param, Duration wait) {
        return callAsync(param, waitOf(wait));
    }

    /**
     * Joins or starts the flight of the parameter's key, returns at once, and has the value, if there is one, given to
     * the callback. Failures are not told; use {@link #callAsync} to see them.
     *
     * @param param the parameter
     * @param callback runs on the engine's executor, or on the thread that settles the flight if that rejects it; what it
     *     throws is logged
     */
    public void send(P param, Consumer<? super R> callback) {
        Objects.requireNonNull(callback, "callback");
        Object key = keyOf(param);
        long start = books.callStarted(key);
        Arrival arrival = Arrival.of(this, key, param, 0, Runner.current(), false);
        if (arrival instanceof Retained retained) {
            books.callEnded(key, Role.RETAINED, Result.of(retained.result()), start);
            if (!(retained.result() instanceof Failure)) {
                CallbackWaiter.deliver(this, callback, retained.result());
            }
            return;
        }
        try {
            new CallbackWaiter<R>(this, arrival.flight(), arrival.role(), start, callback).attach(arrival);
        } catch (Throwable broken) {
            arrival.giveUp(broken);
            throw broken;
        }
    }

    /**
     * Detaches the parameter's key: callers that wait keep their outcome, what is retained goes, and the next caller
     * starts afresh. Does nothing for an unknown key.
     *
     * @param param the parameter
     */
    public void forget(P param) {
        engine.keys.forget(registry, checked(definition.key(param)));
    }

    /** Detaches every key of the definition that is mapped now. */
    public void forgetAll() {
        engine.keys.forgetAll(registry);
    }

    private static long waitOf(Duration wait) {
        long nanos = Durations.nanos("deadline", wait);
        return nanos == 0 ? Arrival.NOW : Math.min(nanos, Long.MAX_VALUE / 2);
    }

    private Object keyOf(P param) {
        try {
            return checked(definition.key(param));
        } catch (Throwable keyFailed) {
            books.turnedAway(null, Result.REJECTED);
            throw keyFailed;
        }
    }

    private Object checked(@Nullable Object key) {
        if (key == null) {
            throw new IllegalArgumentException(
                    "Operation '" + name() + "' was given a null key: its key function must return a value");
        }
        return key;
    }

    /** Returns the value, or an {@link Outcome} where one is asked for. */
    @Nullable
    Object callBlocking(P param, Object key, long wait, boolean asOutcome) {
        long start = books.callStarted(key);
        Runner runner = Runner.current();
        Flight outer = runner == null ? null : runner.waitingFor();
        try {
            Arrival arrival = Arrival.of(this, key, param, wait, runner, true);
            if (arrival instanceof Retained retained) {
                return result(key, retained, Role.RETAINED, start, asOutcome);
            }
            Flight flight = arrival.flight();
            long since = arrivedAt(arrival);
            Result left = await(arrival, wait);
            if (left == null) {
                return result(key, flight, arrival.role(), since, asOutcome);
            }
            books.callEnded(key, arrival.role(), left, since);
            throw left == Result.INTERRUPTED
                    ? new FlightInterruptedException(subject(key), engine.elapsed(since))
                    : new WaitTimeoutException(subject(key), engine.elapsed(since));
        } finally {
            if (runner != null) {
                runner.waitFor(outer);
            }
        }
    }

    private static @Nullable Result await(Arrival arrival, long wait) {
        try {
            return ThreadWaiter.await(arrival.flight(), arrival instanceof Attempt first ? first : null, wait);
        } catch (Throwable broken) {
            arrival.giveUp(broken);
            throw broken;
        }
    }

    private @Nullable Object result(Object key, Slot settled, Role role, long since, boolean asOutcome) {
        books.callEnded(key, role, Result.of(settled.result()), since);
        if (asOutcome) {
            return new Outcome<R>(this, settled, role, waited(role, since));
        }
        return settled.result() instanceof Failure failure
                ? failure.raise(subject(key), waited(role, since))
                : settled.result();
    }

    private Duration waited(Role role, long since) {
        return role == Role.RETAINED ? Duration.ZERO : engine.elapsed(since);
    }

    /** When the caller of a flight came; the time that listeners are told by is not read where there are none. */
    private long arrivedAt(Arrival arrival) {
        return arrival instanceof Attempt ? arrival.flight().startedAt : engine.ticker.getAsLong();
    }

    private CompletableFuture<R> callAsync(P param, long wait) {
        Object key;
        long start;
        Arrival arrival;
        try {
            key = keyOf(param);
            start = books.callStarted(key);
            arrival = Arrival.of(this, key, param, wait, Runner.current(), false);
        } catch (Throwable refused) {
            return CompletableFuture.failedFuture(refused);
        }
        if (arrival instanceof Retained retained) {
            books.callEnded(key, Role.RETAINED, Result.of(retained.result()), start);
            return retained.result() instanceof Failure failure
                    ? CompletableFuture.failedFuture(failure.throwable())
                    : CompletableFuture.completedFuture(Casts.unchecked(retained.result()));
        }
        FutureWaiter<R> waiter = new FutureWaiter<>(this, arrival.flight(), arrival.role(), arrivedAt(arrival));
        try {
            waiter.attach(arrival);
            waiter.arm(wait);
        } catch (Throwable broken) {
            if (arrival instanceof Attempt) {
                arrival.giveUp(broken);
            }
            waiter.future.completeExceptionally(broken);
        }
        return waiter.future;
    }

    /** Runs the work, or starts it where it is asynchronous. */
    @Nullable
    Object work(@Nullable Object param) throws Throwable {
        return definition.run(Casts.unchecked(param));
    }

    void lead(@Nullable Object param) {
        definition.lead(Casts.unchecked(param));
    }

    void settled(@Nullable Object param, @Nullable Throwable failure) {
        definition.settled(Casts.unchecked(param), failure);
    }

    boolean mayRetain(@Nullable Object param, @Nullable Object value) {
        return definition.mayRetain(Casts.unchecked(param), Casts.unchecked(value));
    }

    boolean isAsync() {
        return definition.isAsync();
    }

    Subject subject(Object key) {
        return new Subject(name(), engine.exposed(key));
    }

    @Override
    public String toString() {
        return "Operation[" + name() + "]";
    }
}
