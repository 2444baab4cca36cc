package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A start begins empty and leaves the handles bound before valid; a closed engine stays closed. */
@Timeout(120)
class StartTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();
    private final OperationDefinition<Integer, Integer> counting =
            OperationDefinition.of("load", id -> id, id -> executions.incrementAndGet());

    private static SingleFlightEngine engine() {
        return SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .shutdownTimeout(LONG)
                .build();
    }

    @Test
    void aStartedEngineIsEmptyAndOldHandlesAreValid() {
        try (SingleFlightEngine engine = engine()) {
            Operation<Integer, Integer> operation = engine.bind(counting);
            operation.call(1);
            engine.call("adhoc", 1, () -> "old");

            for (int round = 2; round < 5; round++) {
                engine.stop();
                engine.start();
                assertThat(engine.snapshot().retainedItems()).isZero();
                assertThat(operation.call(1)).isEqualTo(round);
                assertThat(operation.call(1)).isEqualTo(round);
            }
            assertThat(engine.<String>call("adhoc", 1, () -> "new")).isEqualTo("new");
        }
    }

    @Test
    void aStartDuringAStopEndsItsWaitAndDetachesWhatRuns() throws Exception {
        try (SingleFlightEngine engine = engine()) {
            Operation<Integer, String> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
                if (executions.incrementAndGet() == 1) {
                    Futures.await(gate);
                    return "old";
                }
                return "new";
            }));
            CompletableFuture<String> old = operation.callAsync(1);
            Await.until(() -> executions.get() == 1);
            Threads.Running<Object> stop = Threads.run(() -> {
                engine.stop();
                return null;
            });
            Callers.untilParked(stop.thread());

            engine.start();

            Futures.get(stop.result());
            assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.RUNNING);
            assertThat(operation.call(1)).isEqualTo("new");
            gate.countDown();
            assertThat(Futures.get(old)).isEqualTo("old");
            assertThat(operation.call(1)).isEqualTo("new");
        }
    }

    @Test
    void aStopNeverOverhearsTheStartThatOvertakesIt() throws Exception {
        for (int round = 0; round < 300; round++) {
            try (SingleFlightEngine engine = engine()) {
                CompletableFuture<Integer> never = new CompletableFuture<>();
                Operation<Integer, Integer> operation =
                        engine.bind(OperationDefinition.ofAsync("load", id -> id, id -> never));
                CompletableFuture<Integer> running = operation.callAsync(1);
                CompletableFuture<Object> stop = Threads.start(() -> {
                    engine.stop();
                    return null;
                });
                while (engine.admission.state() != EngineSnapshot.State.CLOSING) {
                    Thread.onSpinWait();
                }

                engine.start();

                Futures.get(stop);
                assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.RUNNING);
                assertThat(running).isNotDone();
                never.complete(1);
                assertThat(Futures.get(running)).isEqualTo(1);
            }
        }
    }

    @Test
    void aStopThatIsOvertakenHarmsNoFlightOfTheNewStart() throws Exception {
        int rounds = 5_000;
        CyclicBarrier together = new CyclicBarrier(2);
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().shutdownTimeout(Duration.ZERO).build()) {
            Operation<CompletableFuture<Integer>, Integer> operation =
                    engine.bind(OperationDefinition.ofAsync("load", stage -> "key", stage -> stage));
            CompletableFuture<Object> stops = Threads.start(() -> {
                for (int round = 0; round < rounds; round++) {
                    together.await(30, TimeUnit.SECONDS);
                    engine.stop();
                    together.await(30, TimeUnit.SECONDS);
                }
                return null;
            });
            for (int round = 0; round < rounds; round++) {
                CompletableFuture<Integer> stage = new CompletableFuture<>();
                together.await(30, TimeUnit.SECONDS);
                while (engine.admission.state() == EngineSnapshot.State.RUNNING) {
                    Thread.onSpinWait();
                }
                engine.start();
                CompletableFuture<Integer> started = operation.callAsync(stage);
                together.await(30, TimeUnit.SECONDS);
                CompletableFuture<Integer> joined = operation.callAsync(CompletableFuture.completedFuture(-1));
                stage.complete(round);

                assertThat(Futures.get(started)).isEqualTo(round);
                assertThat(Futures.get(joined)).isEqualTo(round);
            }
            Futures.get(stops);
        }
    }

    @Test
    void aClosedEngineCannotBeStarted() {
        SingleFlightEngine engine = engine();
        engine.close();

        assertThatThrownBy(engine::start).isInstanceOf(IllegalStateException.class);

        assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.CLOSED);
        assertThatThrownBy(() -> engine.bind(counting).call(1)).isInstanceOf(FlightUnavailableException.class);
    }

    @Test
    void hundredsOfStartsAndStopsUnderLoadEndWithARunningEngineThatIsEmpty() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .shutdownTimeout(LONG)
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> -id));
            CompletableFuture<Object> load = Threads.start(() -> {
                for (int id = 0; over.getCount() > 0; id = (id + 1) % 100) {
                    try {
                        assertThat(operation.call(id)).isEqualTo(-id);
                    } catch (FlightUnavailableException stopped) {
                        Thread.onSpinWait();
                    }
                }
                return null;
            });
            for (int round = 0; round < 500; round++) {
                engine.stop();
                assertThat(engine.snapshot().retainedItems()).isZero();
                assertThat(engine.snapshot().activeFlights()).isZero();
                engine.start();
                assertThat(operation.call(round)).isEqualTo(-round);
            }
            over.countDown();
            Futures.get(load);
            assertThat(operation.call(7)).isEqualTo(-7);
        }
    }
}
