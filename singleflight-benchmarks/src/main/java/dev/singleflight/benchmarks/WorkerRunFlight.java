package dev.singleflight.benchmarks;

import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationSettings;
import dev.singleflight.SingleFlightEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A flight that nobody joins, on a worker, while its leader waits: two threads hand over to each other. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH does
public class WorkerRunFlight extends SideBySide {

    @Param
    public WorkerThreads threads;

    private final Long key = 4_711L;
    private final Object value = new Object();
    private final HandRolledSingleFlight<Long, Object> handRolled = new HandRolledSingleFlight<>();

    private ExecutorService executor;
    private SingleFlightEngine engine;
    private Operation<Long, Object> withTimeout;
    private Operation<Long, Object> withoutTimeout;

    @Setup
    public void bind() throws ReflectiveOperationException {
        executor = threads.executor();
        engine = SingleFlightEngine.builder().executor(executor).build();
        OperationDefinition<Long, Object> definition = OperationDefinition.of("worker-run", id -> id, id -> value);
        withTimeout = engine.bind(definition);
        withoutTimeout = engine.bind(
                definition, OperationSettings.builder().timeout(Duration.ZERO).build());
    }

    @TearDown
    public void close() {
        engine.close();
        executor.shutdown();
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
    public Object supplyAsync() {
        return CompletableFuture.supplyAsync(() -> value, executor).join();
    }

    @Benchmark
    public Object handRolled() {
        return handRolled.callOn(executor, key, () -> value);
    }
}
