package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A flight that is not settled has one permit; who joins needs none. */
@Timeout(120)
class FlightLimitTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().ticker(time).timers(time).maxFlights(1).build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    private Operation<Integer, Integer> gated() {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    Futures.await(gate);
                    return id;
                }),
                OperationSettings.builder().maxWaiters(2_000).build());
    }

    @Test
    void aNewKeyIsRefusedAndADuplicateOfARunningOneJoins() throws Exception {
        Operation<Integer, Integer> operation = gated();
        CompletableFuture<Integer> leader = operation.callAsync(1);

        assertThatThrownBy(() -> operation.call(2)).isInstanceOfSatisfying(TooManyFlightsException.class, refusal -> {
            assertThat(refusal.getOperation()).isEqualTo("load");
            assertThat(refusal.getElapsed()).isEqualTo(Duration.ZERO);
        });
        assertThat(Futures.failureOf(operation.callAsync(2))).isInstanceOf(TooManyFlightsException.class);
        assertThatThrownBy(() -> operation.callForOutcome(2)).isInstanceOf(TooManyFlightsException.class);
        assertThatThrownBy(() -> operation.send(2, value -> {})).isInstanceOf(TooManyFlightsException.class);
        assertThatThrownBy(() -> engine.call("other", 1, () -> 1)).isInstanceOf(TooManyFlightsException.class);
        CompletableFuture<Integer> joined = operation.callAsync(1);
        gate.countDown();

        assertThat(Futures.get(leader)).isEqualTo(1);
        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(engine.snapshot().operations().get("load").rejected()).isEqualTo(4);
        assertThat(operation.call(2)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void noneOfAThousandCallersOfOneKeyIsRefused(RunOn runOn) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    Futures.await(gate);
                    return id;
                }),
                OperationSettings.builder().runOn(runOn).maxWaiters(2_000).build());
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            callers.add(Threads.start(() -> {
                Futures.await(start);
                return operation.call(1);
            }));
        }

        start.countDown();
        Await.until(() -> engine.snapshot().waiters() == 1_000);
        gate.countDown();

        for (CompletableFuture<Integer> caller : callers) {
            assertThat(Futures.get(caller)).isEqualTo(1);
        }
        assertThat(executions).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void sequentialCallsNeverMeetALimitOfOne(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (id % 2 == 0) {
                        throw new IllegalStateException();
                    }
                    return id;
                }),
                OperationSettings.builder().runOn(runOn).build());

        for (int id = 0; id < 10_000; id++) {
            Outcome<Integer> outcome = operation.callForOutcome(id);
            assertThat(outcome.role()).isEqualTo(Role.LEADER);
            assertThat(outcome.isSuccess()).isEqualTo(id % 2 == 1);
        }
        for (int id = 0; id < 1_000; id++) {
            assertThat(Futures.get(operation.callAsync(2 * id + 1))).isEqualTo(2 * id + 1);
        }
    }

    @Test
    void aRetryDelayKeepsThePermitAndOneIsEnoughForAllAttempts() throws Exception {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (executions.incrementAndGet() < 3) {
                        throw new IllegalStateException();
                    }
                    return id;
                }),
                OperationSettings.builder()
                        .timeout(Duration.ZERO)
                        .retries(2)
                        .retryDelay(Duration.ofSeconds(1))
                        .build());
        CompletableFuture<Outcome<Integer>> leader = Threads.start(() -> operation.callForOutcome(1));

        for (int attempt = 1; attempt <= 2; attempt++) {
            Await.until(() -> engine.snapshot().operations().get("load").flights().stream()
                    .anyMatch(flight -> flight.state() == FlightSnapshot.State.RETRY_DELAY));
            Await.until(() -> time.armed() == 1);
            assertThat(engine.snapshot().activeFlights()).isEqualTo(1);
            assertThatThrownBy(() -> operation.call(2)).isInstanceOf(TooManyFlightsException.class);
            time.advance(Duration.ofSeconds(1));
            int next = attempt + 1;
            Await.until(() -> executions.get() == next);
        }

        assertThat(Futures.get(leader).attempts()).isEqualTo(3);
        assertThat(operation.call(2)).isEqualTo(2);
    }

    @Test
    void aForgottenFlightKeepsThePermitUntilItIsOver() throws Exception {
        Operation<Integer, Integer> operation = gated();
        CompletableFuture<Integer> leader = operation.callAsync(1);

        operation.forget(1);

        assertThat(engine.snapshot().activeFlights()).isEqualTo(1);
        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(TooManyFlightsException.class);
        gate.countDown();
        assertThat(Futures.get(leader)).isEqualTo(1);
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
    }

    @Test
    void aRetainedOutcomeIsGivenWhateverTheLimit() throws Exception {
        Operation<Integer, Integer> retaining = engine.bind(
                OperationDefinition.of("retaining", id -> id, id -> id),
                OperationSettings.builder().cacheFor(Retention.untilEvicted()).build());
        retaining.call(1);
        CompletableFuture<Integer> running = gated().callAsync(1);

        assertThat(retaining.callForOutcome(1).role()).isEqualTo(Role.RETAINED);

        gate.countDown();
        Futures.get(running);
    }

    @Test
    void theLimitHoldsUnderLoad() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (SingleFlightEngine three =
                SingleFlightEngine.builder().maxFlights(3).build()) {
            Operation<Integer, Integer> operation = three.bind(OperationDefinition.of("load", id -> id, id -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.yield();
                running.decrementAndGet();
                return id;
            }));
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                int first = caller * 10_000;
                callers.add(Threads.start(() -> {
                    int refused = 0;
                    for (int id = first; id < first + 2_000; id++) {
                        try {
                            operation.call(id);
                        } catch (TooManyFlightsException full) {
                            refused++;
                        }
                    }
                    return refused;
                }));
            }
            for (CompletableFuture<Integer> caller : callers) {
                Futures.get(caller);
            }
            assertThat(most).hasValueLessThanOrEqualTo(3);
            assertThat(three.snapshot().activeFlights()).isZero();
        }
    }
}
