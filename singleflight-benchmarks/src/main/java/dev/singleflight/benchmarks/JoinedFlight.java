package dev.singleflight.benchmarks;

import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.SingleFlightEngine;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A caller that joins a running flight and is given its outcome; one flight is shared by {@value #CALLERS} callers and
 * its cost is spread over them. The engine gives each caller a future of its own, which it may cancel without harm; the
 * hand-rolled map does as much with a copy.
 */
@State(Scope.Benchmark)
public class JoinedFlight extends SideBySide {

    static final int CALLERS = 1_000;

    private final Long key = 4_711L;
    private final Object value = new Object();
    private final CompletableFuture<?>[] callers = new CompletableFuture<?>[CALLERS];
    private final HandRolledSingleFlight<Long, Object> handRolled = new HandRolledSingleFlight<>();
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().executor(Runnable::run).build();

    private final Operation<Long, Object> operation;
    private CompletableFuture<Object> running = new CompletableFuture<>();

    public JoinedFlight() {
        operation = engine.bind(OperationDefinition.ofAsync("joined", id -> id, id -> running));
    }

    @TearDown
    public void close() {
        engine.close();
    }

    @Benchmark
    @OperationsPerInvocation(CALLERS)
    public Object engine() {
        return joinAndSettle(() -> operation.callAsync(key));
    }

    @Benchmark
    @OperationsPerInvocation(CALLERS)
    public Object handRolledSharedFuture() {
        return joinAndSettle(() -> handRolled.callAsync(key, () -> running));
    }

    @Benchmark
    @OperationsPerInvocation(CALLERS)
    public Object handRolledOwnFuture() {
        return joinAndSettle(() -> handRolled.callAsync(key, () -> running).copy());
    }

    private CompletableFuture<?>[] joinAndSettle(Supplier<CompletableFuture<Object>> call) {
        running = new CompletableFuture<>();
        for (int i = 0; i < CALLERS; i++) {
            callers[i] = call.get();
        }
        running.complete(value);
        for (CompletableFuture<?> caller : callers) {
            if (caller.join() != value) {
                throw new AssertionError("A caller was given something else");
            }
        }
        return callers;
    }
}
