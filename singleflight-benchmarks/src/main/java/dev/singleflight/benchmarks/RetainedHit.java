package dev.singleflight.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationSettings;
import dev.singleflight.Retention;
import dev.singleflight.SingleFlightEngine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An outcome that is there already. A cache with a time to live reads the clock at every hit, one without does not. */
@State(Scope.Benchmark)
public class RetainedHit extends SideBySide {

    private static final Duration TTL = Duration.ofHours(1);

    private final Long key = 4_711L;
    private final Object value = new Object();
    private final Cache<Long, Object> caffeine =
            Caffeine.newBuilder().maximumSize(10_000).build();
    private final Cache<Long, Object> caffeineWithTtl =
            Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(TTL).build();
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final Operation<Long, Object> untilEvicted;
    private final Operation<Long, Object> withTtl;

    public RetainedHit() {
        caffeine.put(key, value);
        caffeineWithTtl.put(key, value);
        untilEvicted = retaining(Retention.untilEvicted());
        withTtl = retaining(Retention.of(TTL));
    }

    private Operation<Long, Object> retaining(Retention retention) {
        Operation<Long, Object> operation = engine.bind(
                OperationDefinition.of("retained", id -> id, id -> value),
                OperationSettings.builder().cacheFor(retention).build());
        operation.call(key);
        return operation;
    }

    @TearDown
    public void close() {
        engine.close();
    }

    @Benchmark
    public Object engineUntilEvicted() {
        return untilEvicted.call(key);
    }

    @Benchmark
    public Object engineWithTtl() {
        return withTtl.call(key);
    }

    @Benchmark
    public Object caffeineGet() {
        return caffeine.get(key, id -> value);
    }

    @Benchmark
    public @Nullable Object caffeineGetIfPresent() {
        return caffeine.getIfPresent(key);
    }

    @Benchmark
    public Object caffeineGetWithTtl() {
        return caffeineWithTtl.get(key, id -> value);
    }

    @Benchmark
    public @Nullable Object caffeineGetIfPresentWithTtl() {
        return caffeineWithTtl.getIfPresent(key);
    }
}
