package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which interrupt is whose: only a leader's own makes another take its place. */
@Timeout(60)
class ForeignInterruptionTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of((Supplier<Exception>) () -> new ExecutionException(new InterruptedException()), 1),
                Arguments.of((Supplier<Exception>) () -> new IllegalStateException(new InterruptedException()), 2));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void workThatOnlySpeaksOfAnInterruptIsHandedOnAtMostOnce(Supplier<Exception> failure, int executions)
            throws Exception {
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        ran.incrementAndGet();
                        gate.await();
                        throw failure.get();
                    }),
                    OperationSettings.builder().runOn(RunOn.LEADER).build());
            List<CompletableFuture<Throwable>> callers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                callers.add(Threads.start(() -> {
                    try {
                        return new AssertionError(operation.call(1));
                    } catch (SingleFlightException thrown) {
                        return thrown;
                    }
                }));
            }
            Await.until(() -> engine.snapshot().waiters() == 10);
            gate.countDown();

            int left = 0;
            for (CompletableFuture<Throwable> caller : callers) {
                if (Futures.get(caller) instanceof FlightInterruptedException) {
                    left++;
                } else {
                    assertThat(Futures.get(caller)).isInstanceOf(OperationFailedException.class);
                }
            }
            assertThat(ran).hasValue(executions);
            assertThat(left).isEqualTo(executions - 1);
        }
    }

    @Test
    void theInterruptOfATimeoutAroundANestedOneIsKept() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        OperationSettings soon =
                OperationSettings.builder().timeout(Duration.ofMillis(20)).build();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .runOn(RunOn.LEADER)
                        .timeout(Duration.ZERO)
                        .build())
                .build()) {
            Operation<Integer, Integer> inner = engine.bind(
                    OperationDefinition.of("inner", id -> id, id -> {
                        while (timeouts(engine, "inner") + timeouts(engine, "outer") < 2) {
                            Thread.onSpinWait();
                        }
                        return id;
                    }),
                    soon);
            Operation<Integer, Integer> middle = engine.bind(OperationDefinition.of("middle", id -> id, id -> {
                try {
                    return inner.call(id);
                } catch (AttemptTimeoutException expected) {
                    never.await();
                    return id;
                }
            }));
            Operation<Integer, Integer> outer =
                    engine.bind(OperationDefinition.of("outer", id -> id, middle::call), soon);

            CompletableFuture<Integer> call = Threads.start(() -> outer.call(1));

            assertThatThrownBy(() -> Futures.get(call)).hasRootCauseInstanceOf(AttemptTimeoutException.class);
            Await.until(() -> engine.snapshot().stuck() == 0);
        }
    }

    private static long timeouts(SingleFlightEngine engine, String operation) {
        return engine.snapshot().operations().get(operation).timeouts();
    }
}
