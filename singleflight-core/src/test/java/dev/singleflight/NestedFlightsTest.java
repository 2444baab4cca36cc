package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work calls flights for other keys, to any depth that the limit allows. */
@Timeout(120)
class NestedFlightsTest {

    private static Operation<Integer, Integer> countdown(SingleFlightEngine engine, RunOn runOn, int retries) {
        AtomicReference<Operation<Integer, Integer>> self = new AtomicReference<>();
        self.set(engine.bind(
                OperationDefinition.of(
                        "countdown",
                        id -> id,
                        id -> id == 0 ? 0 : 1 + self.get().call(id - 1)),
                OperationSettings.builder().runOn(runOn).retries(retries).build()));
        return self.get();
    }

    /** Flights of leaders nest on one stack, which takes more than a thread has by default. */
    private static <T> CompletableFuture<T> onADeepStack(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(null, task, "deep", 64L << 20).start());
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void aThousandFlightsInsideEachOtherComeToTheirEnd(RunOn runOn) throws Exception {
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<Integer, Integer> countdown = countdown(engine, runOn, 0);

            CompletableFuture<Integer> first = onADeepStack(() -> countdown.call(999));
            CompletableFuture<Integer> second = onADeepStack(() -> countdown.call(999));
            CompletableFuture<Integer> third = onADeepStack(() -> countdown.call(500));

            assertThat(Futures.get(first)).isEqualTo(999);
            assertThat(Futures.get(second)).isEqualTo(999);
            assertThat(Futures.get(third)).isEqualTo(500);
            assertThat(engine.snapshot().activeFlights()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void beyondMaxFlightsTheyFailFastAndAreNotRetried(RunOn runOn) {
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().maxFlights(10).build()) {
            Operation<Integer, Integer> countdown = countdown(engine, runOn, 3);

            assertThat(countdown.call(9)).isEqualTo(9);
            Outcome<Integer> outcome = countdown.callForOutcome(10);

            assertThat(outcome.failure()).hasRootCauseInstanceOf(TooManyFlightsException.class);
            assertThat(outcome.attempts()).isEqualTo(1);
            assertThat(engine.snapshot().operations().get("countdown").retries())
                    .isZero();
            assertThat(engine.snapshot().activeFlights()).isZero();
            assertThat(countdown.call(9)).isEqualTo(9);
        }
    }

    @Test
    void anEngineExceptionOfANestedCallIsAFailureOfTheWork() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<Integer, Integer> inner = engine.bind(OperationDefinition.of("inner", id -> id, id -> {
                throw new IllegalStateException("broken");
            }));
            Operation<Integer, Integer> outer = engine.bind(OperationDefinition.of("outer", id -> id, inner::call));

            assertThat(outer.callForOutcome(1).failure())
                    .isInstanceOfSatisfying(
                            OperationFailedException.class,
                            failed -> assertThat(failed.getOperation()).isEqualTo("inner"))
                    .hasRootCauseMessage("broken");
        }
    }

    @Test
    void aNestedFlightOfALeaderRunsOnTheSameThread() {
        List<Thread> ran = new CopyOnWriteArrayList<>();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder().runOn(RunOn.LEADER).build())
                .build()) {
            Operation<Integer, Integer> inner = engine.bind(OperationDefinition.of("inner", id -> id, id -> {
                ran.add(Thread.currentThread());
                return id;
            }));
            Operation<Integer, Integer> outer = engine.bind(OperationDefinition.of("outer", id -> id, id -> {
                ran.add(Thread.currentThread());
                return inner.call(id) + inner.call(id + 1);
            }));

            assertThat(outer.call(1)).isEqualTo(3);
            assertThat(ran).hasSize(3).containsOnly(Thread.currentThread());
            assertThat(Runner.current()).isNull();
        }
    }

    @Test
    void twoFlightsMayWaitForTheSameThirdOne() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<String, Integer> bottom = engine.bind(OperationDefinition.of("bottom", id -> id, id -> {
                Futures.await(gate);
                return 1;
            }));
            Operation<String, Integer> middle =
                    engine.bind(OperationDefinition.of("middle", id -> id, id -> bottom.call("same")));
            Operation<String, Integer> top = engine.bind(OperationDefinition.of("top", id -> id, id -> {
                CompletableFuture<Integer> left = middle.callAsync("left");
                CompletableFuture<Integer> right = middle.callAsync("right");
                return middle.call("left") + middle.call("right") + bottom.call("same") + left.join() + right.join();
            }));

            CompletableFuture<Integer> result = top.callAsync("one");
            Await.until(() -> engine.snapshot().operations().get("bottom").waiters() == 2);
            gate.countDown();

            assertThat(Futures.get(result)).isEqualTo(5);
        }
    }
}
