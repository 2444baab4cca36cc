package dev.singleflight.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationSettings;
import dev.singleflight.RunOn;
import dev.singleflight.SingleFlightEngine;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A flight that nobody joins, on the caller's own thread; the work costs nothing, so what is seen is the flight. */
@State(Scope.Benchmark)
public class LeaderRunFlight extends SideBySide {

    private final Long key = 4_711L;
    private final Object value = new Object();
    private final HandRolledSingleFlight<Long, Object> handRolled = new HandRolledSingleFlight<>();
    private final Cache<Long, Object> caffeine =
            Caffeine.newBuilder().maximumSize(10_000).build();
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .defaults(OperationSettings.builder().runOn(RunOn.LEADER).build())
            .build();

    private final Operation<Long, Object> withTimeout;
    private final Operation<Long, Object> withoutTimeout;

    public LeaderRunFlight() {
        OperationDefinition<Long, Object> definition = OperationDefinition.of("leader-run", id -> id, id -> value);
        withTimeout = engine.bind(definition);
        withoutTimeout = engine.bind(
                definition, OperationSettings.builder().timeout(Duration.ZERO).build());
    }

    @TearDown
    public void close() {
        engine.close();
    }

    @Benchmark
    public Object engine() {
        return withTimeout.call(key);
    }

    @Benchmark
    public Object engineWithoutTimeout() {
        return withoutTimeout.call(key);
    }

    @Benchmark
    public Object handRolled() {
        return handRolled.call(key, () -> value);
    }

    @Benchmark
    public Object handRolledWithTimeout() {
        return handRolled.callWithTimeout(key, () -> value, 30);
    }

    @Benchmark
    public Object caffeineGetAndInvalidate() {
        Object loaded = caffeine.get(key, id -> value);
        caffeine.invalidate(key);
        return loaded;
    }
}
