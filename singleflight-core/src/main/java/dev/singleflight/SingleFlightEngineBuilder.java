package dev.singleflight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Configures an engine; every setting has a default. Not safe for use by several threads. */
public final class SingleFlightEngineBuilder {

    static final LongSupplier SYSTEM_CLOCK = System::nanoTime;

    int maxFlights = 10_000;
    int cacheMaxItems = 10_000;
    long cacheMaxBytes = -1;
    ToLongFunction<@Nullable Object> resultSizer = new ApproximateSize();
    OperationSettings defaults = OperationSettings.unset();
    final Map<String, OperationSettings> overrides = new HashMap<>();

    @Nullable
    Executor executor;

    LongSupplier ticker = SYSTEM_CLOCK;
    Duration shutdownTimeout = Duration.ofSeconds(30);
    final List<FlightListener> listeners = new ArrayList<>();
    boolean exposeKeys;
    boolean virtualThreads = true;

    @Nullable
    Timers timers;

    SingleFlightEngineBuilder() {}

    /**
     * Bounds the flights that are not settled and the workers that are stuck, together. The default is 10,000.
     *
     * @param maxFlights at least 1
     * @return this builder
     */
    public SingleFlightEngineBuilder maxFlights(int maxFlights) {
        check("maxFlights", maxFlights, maxFlights >= 1, "must be at least 1");
        this.maxFlights = maxFlights;
        return this;
    }

    /**
     * Bounds the number of retained outcomes. The default is 10,000.
     *
     * @param cacheMaxItems zero retains nothing, whatever the operations say
     * @return this builder
     */
    public SingleFlightEngineBuilder cacheMaxItems(int cacheMaxItems) {
        check("cacheMaxItems", cacheMaxItems, cacheMaxItems >= 0, "must not be negative");
        this.cacheMaxItems = cacheMaxItems;
        return this;
    }

    /**
     * Bounds the approximate bytes of retained outcomes. By default they are not bounded, and no size is estimated.
     *
     * @param cacheMaxBytes at least 1
     * @return this builder
     */
    public SingleFlightEngineBuilder cacheMaxBytes(long cacheMaxBytes) {
        check("cacheMaxBytes", cacheMaxBytes, cacheMaxBytes >= 1, "must be at least 1");
        this.cacheMaxBytes = cacheMaxBytes;
        return this;
    }

    /**
     * Sets what estimates the size of an outcome in bytes, used only where bytes are bounded. The default walks strings,
     * arrays, collections, maps, records and plain objects to a bounded depth; it is approximate.
     *
     * @param resultSizer given the value, maybe null, or the failure; runs on the thread that settles and must not
     *     call the engine. Where it throws or
     *     gives a negative size, 1 KiB is assumed
     * @return this builder
     */
    public SingleFlightEngineBuilder resultSizer(ToLongFunction<@Nullable Object> resultSizer) {
        this.resultSizer = Objects.requireNonNull(resultSizer, "resultSizer");
        return this;
    }

    /**
     * Sets what operations inherit where they set nothing themselves.
     *
     * @param defaults the settings; what they leave unset has the library's default
     * @return this builder
     */
    public SingleFlightEngineBuilder defaults(OperationSettings defaults) {
        this.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /**
     * Sets what overrides the settings that operations of a name are bound with, field by field.
     *
     * @param name the name, of definitions and of ad-hoc calls
     * @param settings the fields that win
     * @return this builder
     */
    public SingleFlightEngineBuilder override(String name, OperationSettings settings) {
        overrides.put(OperationDefinition.checkedName(name), Objects.requireNonNull(settings, "settings"));
        return this;
    }

    /**
     * Sets what runs attempts on workers and the callbacks of {@code send}. It should start or queue each task at once;
     * one that bounds its threads can starve flights that wait for flights. By default these are virtual threads on Java
     * 21 and later, otherwise daemon threads started on demand. The engine never shuts it down.
     *
     * @param executor the executor
     * @return this builder
     */
    public SingleFlightEngineBuilder executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /**
     * Sets whether the engine's own workers are virtual threads where the JVM has them. By default they are.
     *
     * @param virtualThreads false for daemon threads that start on demand
     * @return this builder
     */
    public SingleFlightEngineBuilder virtualThreads(boolean virtualThreads) {
        this.virtualThreads = virtualThreads;
        return this;
    }

    /**
     * Sets the clock that retention and elapsed times are read from. The default is {@link System#nanoTime}.
     *
     * @param ticker gives nanoseconds; must not go back. Where it throws, the time is what it gave before
     * @return this builder
     */
    public SingleFlightEngineBuilder ticker(LongSupplier ticker) {
        this.ticker = new GuardedTicker(Objects.requireNonNull(ticker, "ticker"));
        return this;
    }

    /**
     * Sets how long {@code stop} and {@code close} wait for flights before they interrupt them. The default is 30
     * seconds.
     *
     * @param shutdownTimeout zero interrupts at once
     * @return this builder
     */
    public SingleFlightEngineBuilder shutdownTimeout(Duration shutdownTimeout) {
        Durations.nanos("shutdownTimeout", shutdownTimeout);
        this.shutdownTimeout = shutdownTimeout;
        return this;
    }

    /**
     * Adds a listener.
     *
     * @param listener told of everything, after those added before
     * @return this builder
     */
    public SingleFlightEngineBuilder listener(FlightListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Sets whether keys stand in messages of exceptions and in events. By default they do not.
     *
     * @param exposeKeys true to show keys
     * @return this builder
     */
    public SingleFlightEngineBuilder exposeKeys(boolean exposeKeys) {
        this.exposeKeys = exposeKeys;
        return this;
    }

    /** Replaces the timer thread, so that tests own the time. */
    SingleFlightEngineBuilder timers(Timers timers) {
        this.timers = timers;
        return this;
    }

    /**
     * Builds a running engine.
     *
     * @return the engine; close it when it is not needed any more
     */
    public SingleFlightEngine build() {
        return new SingleFlightEngine(this);
    }

    private static void check(String field, Object value, boolean valid, String rule) {
        if (!valid) {
            throw new IllegalArgumentException("Invalid " + field + " (" + value + "): " + rule);
        }
    }
}
