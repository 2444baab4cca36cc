package dev.singleflight;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs flights: callers of one operation and key that come while its work runs share that one execution and its outcome.
 *
 * <p>An engine runs from the moment it is built. It bounds what all its operations use together: flights, and retained
 * outcomes by number and by approximate size; everything else is {@linkplain OperationSettings a policy of the
 * operation}. That work runs exactly once is not promised: an attempt may have had effects before it failed or timed
 * out.
 */
public final class SingleFlightEngine implements AutoCloseable {

    final LongSupplier ticker;

    /** Whether ticker and timers read the same clock, so that a flight need not read it twice when it starts. */
    final boolean hasOneClock;

    final Executor executor;
    final Listeners listeners;
    final Timers timers;
    final Admission admission;
    final RetainedOutcomes retained;
    final ExecutorService workers;
    final Keyspaces keys;
    final LifeCycle lifeCycle;

    private final boolean exposeKeys;
    private final OperationSettings defaults;
    private final Map<String, OperationSettings> overrides;
    private final AdHocOperations adHoc;
    private final Map<String, Bookkeeping> books = new ConcurrentHashMap<>();

    /** One for each length of time that some operation or outcome counts. */
    private final Cache<Long, DeadlineQueue> deadlines =
            Caffeine.newBuilder().weakValues().build();

    SingleFlightEngine(SingleFlightEngineBuilder settings) {
        this.ticker = settings.ticker;
        this.hasOneClock = settings.timers == null
                ? settings.ticker == SingleFlightEngineBuilder.SYSTEM_CLOCK
                : (Object) settings.timers == settings.ticker;
        this.exposeKeys = settings.exposeKeys;
        this.defaults = settings.defaults;
        this.overrides = Map.copyOf(settings.overrides);
        this.listeners = new Listeners(settings.listeners);
        this.workers = Workers.create(settings.virtualThreads);
        this.executor = settings.executor != null ? settings.executor : workers;
        this.timers = settings.timers != null ? settings.timers : new Timers(workers);
        this.admission = new Admission(settings.maxFlights);
        this.retained = new RetainedOutcomes(
                settings.cacheMaxItems, settings.cacheMaxBytes, settings.resultSizer, ticker, listeners);
        this.keys = new Keyspaces(retained);
        this.lifeCycle = new LifeCycle(this, Durations.nanos("shutdownTimeout", settings.shutdownTimeout));
        this.adHoc = new AdHocOperations(this);
    }

    /**
     * Starts from the defaults.
     *
     * @return a new builder
     */
    public static SingleFlightEngineBuilder builder() {
        return new SingleFlightEngineBuilder();
    }

    /**
     * Binds a definition with the engine's default settings.
     *
     * @param definition what to run
     * @param <P> type of the parameter
     * @param <R> type of the result
     * @return a handle; keep it or bind again, it is cheap
     */
    public <P extends @Nullable Object, R extends @Nullable Object> Operation<P, R> bind(
            OperationDefinition<P, R> definition) {
        return bind(definition, OperationSettings.unset());
    }

    /**
     * Binds a definition with settings of its own. Handles of one definition share its keys.
     *
     * @param definition what to run
     * @param settings what differs from the engine's defaults
     * @param <P> type of the parameter
     * @param <R> type of the result
     * @return a handle
     */
    public <P extends @Nullable Object, R extends @Nullable Object> Operation<P, R> bind(
            OperationDefinition<P, R> definition, OperationSettings settings) {
        String name = definition.name();
        return new Operation<>(this, definition, keys.of(definition), books(name), policy(name, settings));
    }

    /**
     * Joins or starts an ad-hoc flight, keyed by name and key together, with the settings of that name, and blocks until
     * its outcome is there. Ad-hoc calls never meet a definition's, whatever its name. That all work under a name and key
     * has one result type is the caller's business, as in any map.
     *
     * @param name label for settings, meters and messages; not blank, no {@code /}. Figures are kept for the first 1,000
     *     names and add up as {@code other} beyond
     * @param key what makes calls equivalent
     * @param work runs once for all callers of the key
     * @param <R> type of the result
     * @return the value
     * @throws SingleFlightException as {@link Operation#call(Object)} does
     */
    public <R extends @Nullable Object> R call(String name, Object key, Callable<? extends R> work) {
        Operation<Callable<?>, @Nullable Object> operation = adHoc.named(name);
        Objects.requireNonNull(work, "work");
        if (key == null) {
            operation.books.turnedAway(null, FlightListener.Result.REJECTED);
        }
        return Casts.unchecked(
                operation.callBlocking(work, Keyspaces.adHocKey(name, key), operation.policy.waitTimeout(), false));
    }

    /**
     * Detaches the key of ad-hoc calls, as {@link Operation#forget} does for those of a definition.
     *
     * @param name the name of the calls
     * @param key their key
     */
    public void forget(String name, Object key) {
        keys.forget(keys.adHoc, Keyspaces.adHocKey(name, key));
    }

    /**
     * Detaches a key wherever operations of a name have it: in every definition that bears the name, and in its ad-hoc
     * calls.
     *
     * @param name the name
     * @param key the key, as the key functions of those definitions give it
     */
    public void forgetEverywhere(String name, Object key) {
        keys.forget(name, key);
    }

    /**
     * Detaches those keys of a name that pass a test: of every definition that bears the name, and of its ad-hoc calls.
     * Looks at every key that they have.
     *
     * @param name the name
     * @param test given a key as its caller gave it, on the calling thread
     */
    public void forgetWhere(String name, Predicate<Object> test) {
        keys.forgetWhere(name, test);
    }

    /** Detaches every key of every operation that is mapped now, ad-hoc keys too. */
    public void forgetAll() {
        keys.forgetAll();
    }

    /**
     * Reads the engine's figures.
     *
     * @return a snapshot
     */
    public EngineSnapshot snapshot() {
        Map<Bookkeeping, List<FlightSnapshot>> flights = new HashMap<>();
        Set<Flight> running = new HashSet<>();
        keys.forEachFlight(running::add);
        running.forEach(flight -> flights.computeIfAbsent(flight.operation.books, name -> new ArrayList<>())
                .add(FlightSnapshot.of(flight)));
        Map<String, OperationSnapshot> operations = new TreeMap<>();
        books.forEach((name, figures) ->
                operations.put(name, OperationSnapshot.of(figures, flights.getOrDefault(figures, List.of()))));
        return new EngineSnapshot(
                admission.state(),
                admission.flights(),
                operations.values().stream()
                        .mapToInt(OperationSnapshot::waiters)
                        .sum(),
                operations.values().stream().mapToInt(OperationSnapshot::stuck).sum(),
                admission.maxFlights(),
                retained.items(),
                retained.bytes(),
                retained.maxItems(),
                retained.maxBytes(),
                Collections.unmodifiableMap(operations));
    }

    /**
     * Reads the figures of one name, without looking at the flights of others.
     *
     * @param name the name
     * @return a snapshot; null for a name that was never used
     */
    public @Nullable OperationSnapshot snapshot(String name) {
        Bookkeeping figures = books.get(name);
        if (figures == null) {
            return null;
        }
        List<FlightSnapshot> flights = new ArrayList<>();
        keys.forEachFlight(name, flight -> {
            if (flight.operation.books == figures) {
                flights.add(FlightSnapshot.of(flight));
            }
        });
        return OperationSnapshot.of(figures, flights);
    }

    /**
     * Refuses callers from outside, waits for flights under way until the shutdown timeout, then interrupts them; every
     * caller gets an outcome. Retained outcomes go. Does nothing on a stopped engine. Called from inside a flight, it
     * waits neither for that flight nor for those that wait for it; they end afterwards with their own outcome. A thread
     * that is interrupted stops waiting.
     */
    public void stop() {
        lifeCycle.stop();
    }

    /**
     * Starts a stopped engine again, empty; operations bound before stay valid. Does nothing on a running engine.
     *
     * @throws IllegalStateException if the engine is closed
     */
    public void start() {
        lifeCycle.start();
    }

    /** Stops for good, and ends the engine's own threads; an executor that was given to it is left alone. */
    @Override
    public void close() {
        lifeCycle.close();
    }

    Policy policy(String name, OperationSettings settings) {
        OperationSettings own = defaults.overriddenBy(settings);
        OperationSettings override = overrides.get(name);
        return Policy.of(override == null ? own : own.overriddenBy(override));
    }

    Bookkeeping books(String name) {
        Bookkeeping known = books.get(name);
        return known != null ? known : addBooks(name);
    }

    private Bookkeeping addBooks(String name) {
        Bookkeeping added = new Bookkeeping(name, this);
        Bookkeeping first = books.putIfAbsent(name, added);
        if (first == null) {
            listeners.tell(listener -> listener.operationAdded(name));
        }
        return first == null ? added : first;
    }

    DeadlineQueue deadlines(long nanos) {
        return deadlines.get(nanos, span -> new DeadlineQueue(timers, span));
    }

    Duration elapsed(long since) {
        return Duration.ofNanos(ticker.getAsLong() - since);
    }

    @Nullable
    Object exposed(Object key) {
        return exposeKeys ? AdHocKey.unwrap(key) : null;
    }
}
