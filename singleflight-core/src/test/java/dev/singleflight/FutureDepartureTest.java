package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever completes its own future has left the flight, however it did so, and has not touched the futures of others. */
@Timeout(120)
class FutureDepartureTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    enum Departure {
        CANCEL(future -> future.cancel(true)),
        COMPLETE(future -> future.complete(-1)),
        COMPLETE_EXCEPTIONALLY(future -> future.completeExceptionally(new IllegalStateException())),
        COMPLETE_ASYNC(future -> future.completeAsync(() -> -1)),
        COMPLETE_ASYNC_FAILING(future -> future.completeAsync(() -> {
            throw new IllegalStateException();
        })),
        OR_TIMEOUT(future -> future.orTimeout(1, TimeUnit.MILLISECONDS)),
        COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout(-1, 1, TimeUnit.MILLISECONDS)),
        OBTRUDE_VALUE(future -> future.obtrudeValue(-1)),
        OBTRUDE_EXCEPTION(future -> future.obtrudeException(new IllegalStateException()));

        final Consumer<CompletableFuture<Integer>> action;

        Departure(Consumer<CompletableFuture<Integer>> action) {
            this.action = action;
        }
    }

    private Operation<Integer, Integer> operation(WhenAbandoned whenAbandoned) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    try {
                        Futures.await(gate);
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return id;
                }),
                OperationSettings.builder().whenAbandoned(whenAbandoned).build());
    }

    @ParameterizedTest
    @EnumSource(Departure.class)
    void theOthersGetTheValueOfTheOneExecution(Departure departure) throws Exception {
        Operation<Integer, Integer> operation = operation(WhenAbandoned.CANCEL);
        CompletableFuture<Integer> leaves = operation.callAsync(1);
        CompletableFuture<Integer> stays = operation.callAsync(1);
        Threads.Running<Outcome<Integer>> blocked = Callers.parked(engine, () -> operation.callForOutcome(1));

        departure.action.accept(leaves);

        Await.until(() -> engine.snapshot().waiters() == 2);
        Await.until(() -> engine.snapshot().operations().get("load").cancelled() == 1);
        assertThat(leaves).isDone();
        assertThat(stays).isNotDone();
        gate.countDown();
        assertThat(Futures.get(stays)).isEqualTo(1);
        assertThat(Futures.get(blocked.result()).served()).isEqualTo(2);
        assertThat(leaves.handle((value, thrown) -> value != null && value == 1))
                .isCompletedWithValue(false);
        assertThat(executions).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Departure.class)
    void theLastOneToLeaveEndsTheFlightWhereAbandonmentCancels(Departure departure) throws Exception {
        Operation<Integer, Integer> operation = operation(WhenAbandoned.CANCEL);
        CompletableFuture<Integer> only = operation.callAsync(1);
        Await.until(() -> executions.get() == 1);

        departure.action.accept(only);

        Futures.await(interrupted);
        Await.until(() -> engine.snapshot().activeFlights() == 0);
        gate.countDown();
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
    }

    @Test
    void aFutureThatRefusesItsCompletionHasNotDeparted() throws Exception {
        CompletableFuture<Integer> future = operation(WhenAbandoned.CONTINUE).callAsync(1);

        assertThatNullPointerException().isThrownBy(() -> future.completeExceptionally(null));

        assertThat(engine.snapshot().waiters()).isEqualTo(1);
        gate.countDown();
        assertThat(Futures.get(future)).isEqualTo(1);
    }

    @Test
    void departingTwiceCountsOnce() throws Exception {
        Operation<Integer, Integer> operation = operation(WhenAbandoned.CONTINUE);
        CompletableFuture<Integer> leaves = operation.callAsync(1);
        CompletableFuture<Integer> stays = operation.callAsync(1);

        assertThat(leaves.cancel(true)).isTrue();
        assertThat(leaves.cancel(true)).isTrue();
        assertThat(leaves.complete(-1)).isFalse();
        leaves.obtrudeValue(-2);

        assertThat(engine.snapshot().waiters()).isEqualTo(1);
        gate.countDown();
        assertThat(Futures.get(stays)).isEqualTo(1);
        assertThat(leaves).isCompletedWithValue(-2);
    }

    @Test
    void aCancelAfterTheOutcomeChangesNothing() throws Exception {
        Operation<Integer, Integer> operation = operation(WhenAbandoned.CONTINUE);
        CompletableFuture<Integer> future = operation.callAsync(1);
        gate.countDown();
        Futures.get(future);

        assertThat(future.cancel(true)).isFalse();
        assertThat(future.complete(-1)).isFalse();

        assertThat(future).isCompletedWithValue(1);
        assertThat(engine.snapshot().operations().get("load").cancelled()).isZero();
    }

    @Test
    void cancellingADependentStageLeavesTheCallerAttached() throws Exception {
        Operation<Integer, Integer> operation = operation(WhenAbandoned.CANCEL);
        CompletableFuture<Integer> future = operation.callAsync(1);

        future.thenApply(value -> value + 1).cancel(true);
        future.copy().cancel(true);

        assertThat(engine.snapshot().waiters()).isEqualTo(1);
        gate.countDown();
        assertThat(Futures.get(future)).isEqualTo(1);
    }

    @Test
    void aDepartedFutureHoldsNoTimer() {
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine manual =
                SingleFlightEngine.builder().ticker(time).timers(time).build()) {
            Operation<Integer, Integer> operation = manual.bind(
                    OperationDefinition.ofAsync("load", id -> id, id -> new CompletableFuture<>()),
                    OperationSettings.builder()
                            .timeout(Duration.ZERO)
                            .whenAbandoned(WhenAbandoned.CANCEL)
                            .build());
            CompletableFuture<Integer> future = operation.callAsync(1, Duration.ofHours(1));
            assertThat(time.armed()).isEqualTo(1);

            future.cancel(true);

            assertThat(time.armed()).isZero();
        }
    }

    @Test
    void theTimeoutOfTheCallersOwnIsTheOneItSees() throws Exception {
        Operation<Integer, Integer> operation = operation(WhenAbandoned.CONTINUE);
        CompletableFuture<Integer> future = operation.callAsync(1).orTimeout(1, TimeUnit.MILLISECONDS);

        assertThat(Futures.failureOf(future)).isInstanceOf(TimeoutException.class);
        gate.countDown();
    }
}
