package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that stops its own engine is not waited for by that stop, and its callers get its value. */
@Timeout(120)
class StopInsideFlightTest {

    private static final Duration LONG = Duration.ofHours(1);

    private static SingleFlightEngine engine(RunOn runOn) {
        return SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .runOn(runOn)
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .shutdownTimeout(LONG)
                .build();
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void itReturnsAndTheCallersOfTheFlightGetItsValue(RunOn runOn) throws Exception {
        SingleFlightEngine engine = engine(runOn);
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, String> operation = engine.bind(OperationDefinition.of("stopping", id -> id, id -> {
            Futures.await(gate);
            engine.stop();
            return "value";
        }));
        Threads.Running<String> leader = Callers.parked(engine, () -> operation.call(1));
        Threads.Running<String> joined = Callers.parked(engine, () -> operation.call(1));
        CompletableFuture<String> future = operation.callAsync(1);

        gate.countDown();

        assertThat(Futures.get(leader.result())).isEqualTo("value");
        assertThat(Futures.get(joined.result())).isEqualTo("value");
        assertThat(Futures.get(future)).isEqualTo("value");
        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(FlightUnavailableException.class);
        engine.start();
        assertThat(engine.snapshot().retainedItems()).isZero();
        engine.close();
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void itDoesNotWaitForFlightsThatWaitForItsOwn(RunOn runOn) throws Exception {
        SingleFlightEngine engine = engine(runOn);
        Operation<Integer, String> inner = engine.bind(OperationDefinition.of("inner", id -> id, id -> {
            engine.stop();
            return "value";
        }));
        Operation<Integer, String> outer = engine.bind(OperationDefinition.of("outer", id -> id, inner::call));
        Operation<Integer, String> outermost = engine.bind(OperationDefinition.of("outermost", id -> id, outer::call));

        assertThat(Futures.get(Threads.start(() -> outermost.call(1)))).isEqualTo("value");
        engine.close();
    }

    @Test
    void itWaitsForFlightsThatHaveNothingToDoWithIt() throws Exception {
        SingleFlightEngine engine = engine(RunOn.WORKER);
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Integer> other = engine.bind(OperationDefinition.of("other", id -> id, id -> {
            Futures.await(gate);
            return id;
        }));
        AtomicInteger othersWhenStopped = new AtomicInteger(-1);
        CompletableFuture<Integer> running = other.callAsync(1);
        CompletableFuture<String> stopping = Threads.start(() -> engine.call("stopping", 1, () -> {
            engine.stop();
            othersWhenStopped.set(engine.snapshot().operations().get("other").activeFlights());
            return "value";
        }));
        Await.until(() -> engine.snapshot().state() == EngineSnapshot.State.CLOSING);
        assertThat(stopping).isNotDone();

        gate.countDown();

        assertThat(Futures.get(stopping)).isEqualTo("value");
        assertThat(Futures.get(running)).isEqualTo(1);
        assertThat(othersWhenStopped).hasValue(0);
        engine.close();
    }

    @Test
    void itInterruptsFlightsThatHaveNothingToDoWithItAtTheTimeout() throws Exception {
        SingleFlightEngine engine = SingleFlightEngine.builder()
                .shutdownTimeout(Duration.ofMillis(1))
                .build();
        CountDownLatch never = new CountDownLatch(1);
        Operation<Integer, Integer> other = engine.bind(OperationDefinition.of("other", id -> id, id -> {
            never.await();
            return id;
        }));
        CompletableFuture<Integer> running = other.callAsync(1);

        String value = engine.call("stopping", 1, () -> {
            engine.stop();
            return "value";
        });

        assertThat(value).isEqualTo("value");
        assertThat(Futures.failureOf(running)).isInstanceOf(FlightUnavailableException.class);
        engine.close();
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void severalFlightsMayStopAtOnceAndAllGiveTheirValue(RunOn runOn) throws Exception {
        for (int round = 0; round < 20; round++) {
            SingleFlightEngine engine = engine(runOn);
            CyclicBarrier together = new CyclicBarrier(4);
            Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("stopping", id -> id, id -> {
                together.await(30, TimeUnit.SECONDS);
                engine.stop();
                return id;
            }));
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int id = 0; id < 4; id++) {
                int key = id;
                callers.add(Threads.start(() -> operation.call(key)));
            }

            for (int id = 0; id < 4; id++) {
                assertThat(Futures.get(callers.get(id))).isEqualTo(id);
            }
            assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.CLOSED);
            engine.close();
        }
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void aFlightThatClosesItsEngineGivesItsValue(RunOn runOn) throws Exception {
        SingleFlightEngine engine = engine(runOn);
        Operation<Integer, String> operation = engine.bind(OperationDefinition.of("closing", id -> id, id -> {
            engine.close();
            return "value";
        }));

        assertThat(Futures.get(Threads.start(() -> operation.call(1)))).isEqualTo("value");
        assertThatThrownBy(engine::start).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void aFlightThatClosesItsEngineAndFailsIsSettledThoughARetryWasDue(RunOn runOn) throws Exception {
        for (Duration delay : List.of(Duration.ZERO, Duration.ofMillis(5))) {
            SingleFlightEngine engine = engine(runOn);
            CountDownLatch gate = new CountDownLatch(1);
            Operation<Integer, String> operation = engine.bind(
                    OperationDefinition.of("closing", id -> id, id -> {
                        Futures.await(gate);
                        engine.close();
                        throw new IllegalStateException("broken");
                    }),
                    OperationSettings.builder().retries(1).retryDelay(delay).build());
            Threads.Running<Outcome<String>> leader = Callers.parked(engine, () -> operation.callForOutcome(1));
            CompletableFuture<String> joined = operation.callAsync(1);

            gate.countDown();

            assertThat(Futures.get(leader.result()).isSuccess()).isFalse();
            assertThat(Futures.failureOf(joined)).isNotNull();
        }
    }

    @Test
    void aFlightThatOutlivesItsEngineStillTimesOut() throws Exception {
        SingleFlightEngine engine =
                SingleFlightEngine.builder().shutdownTimeout(LONG).build();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        OperationSettings settings = OperationSettings.builder()
                .timeout(Duration.ofMillis(200))
                .runOn(RunOn.LEADER)
                .build();
        Operation<Integer, Integer> quick = engine.bind(OperationDefinition.of("quick", id -> id, id -> id), settings);
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of("closing", id -> id, id -> {
                    Futures.await(gate);
                    engine.close();
                    closed.countDown();
                    never.await();
                    return "never";
                }),
                settings);
        Threads.Running<String> leader = Threads.run(() -> {
            quick.call(1);
            return operation.call(1);
        });
        gate.countDown();

        Futures.await(closed);

        assertThat(Futures.failureOf(leader.result())).isInstanceOf(AttemptTimeoutException.class);
    }
}
