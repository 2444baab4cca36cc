package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers under load see one execution for each time that a retained outcome expires. */
@Timeout(120)
class ExecutionsPerExpiryTest {

    private static final int THREADS = 8;
    private static final int EXPIRIES = 200;

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().ticker(time).timers(time).build();

    private final AtomicInteger executions = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    void oneExecutionPerExpiry(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> executions.incrementAndGet()),
                OperationSettings.builder()
                        .runOn(runOn)
                        .cacheFor(Retention.of(Duration.ofSeconds(1)))
                        .build());
        CyclicBarrier round = new CyclicBarrier(THREADS, () -> time.advance(Duration.ofSeconds(1)));
        List<CompletableFuture<Void>> threads = new ArrayList<>();

        for (int i = 0; i < THREADS; i++) {
            threads.add(Threads.start(() -> {
                for (int expiry = 1; expiry <= EXPIRIES; expiry++) {
                    round.await(60, TimeUnit.SECONDS);
                    for (int call = 0; call < 20; call++) {
                        assertThat(operation.call(7)).isEqualTo(expiry);
                    }
                }
                return null;
            }));
        }

        for (CompletableFuture<Void> thread : threads) {
            thread.get(90, TimeUnit.SECONDS);
        }
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(executions).hasValue(EXPIRIES);
        assertThat(figures.executions()).isEqualTo(EXPIRIES);
        assertThat(figures.calls()).isEqualTo(THREADS * EXPIRIES * 20L);
        time.advance(Duration.ofSeconds(3));
        assertThat(engine.snapshot().retainedItems()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void noRetentionStillJoins(RunOn runOn) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    gate.await();
                    return executions.incrementAndGet();
                }),
                OperationSettings.builder()
                        .runOn(runOn)
                        .cacheFor(Retention.of(Duration.ZERO))
                        .cacheErrorsFor(Retention.of(Duration.ZERO))
                        .build());
        CompletableFuture<Integer> first = Threads.start(() -> operation.call(7));
        Await.waiters(engine, 1);
        CompletableFuture<Integer> second = operation.callAsync(7);
        gate.countDown();

        assertThat(Futures.get(first)).isEqualTo(1);
        assertThat(Futures.get(second)).isEqualTo(1);
        assertThat(operation.call(7)).isEqualTo(2);
        assertThat(engine.snapshot().retainedItems()).isZero();
    }

    @Test
    void anOutcomeServesUntilItsTimeIsOverAndUseDoesNotProlongIt() {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> executions.incrementAndGet()),
                OperationSettings.builder()
                        .cacheFor(Retention.of(Duration.ofSeconds(10)))
                        .build());

        assertThat(operation.call(7)).isEqualTo(1);
        time.advance(Duration.ofSeconds(9));
        assertThat(operation.call(7)).isEqualTo(1);
        time.advance(Duration.ofSeconds(1).minusNanos(1));
        assertThat(operation.call(7)).isEqualTo(1);
        time.advance(Duration.ofNanos(1));
        assertThat(operation.call(7)).isEqualTo(2);
    }
}
