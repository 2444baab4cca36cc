package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an attempt that is broken off leaves behind harms neither its flight nor the engine. */
@Timeout(60)
class AbandonedAttemptsTest {

    @Test
    void permitsAddUpHoweverTimeoutsAndDeparturesMeet() throws Exception {
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .maxFlights(64)
                .shutdownTimeout(Duration.ZERO)
                .build()) {
            Operation<Integer, Integer> stubborn = engine.bind(
                    OperationDefinition.of("stubborn", id -> id, id -> {
                        long end = System.nanoTime() + 2_000_000;
                        while (System.nanoTime() < end) {
                            Thread.onSpinWait();
                        }
                        return id;
                    }),
                    OperationSettings.builder()
                            .timeout(Duration.ofMillis(1))
                            .retries(3)
                            .whenAbandoned(WhenAbandoned.CANCEL)
                            .build());
            List<CompletableFuture<Object>> callers = new ArrayList<>();
            for (int caller = 0; caller < 3; caller++) {
                int key = caller;
                callers.add(Threads.start(() -> {
                    for (int round = 0; round < 300; round++) {
                        try {
                            stubborn.call(key, Duration.ofNanos(900_000 + round * 1_000L));
                        } catch (SingleFlightException gone) {
                            assertThat(gone).isNotInstanceOf(FlightUnavailableException.class);
                        }
                    }
                    return null;
                }));
            }
            for (CompletableFuture<Object> caller : callers) {
                Futures.get(caller);
            }

            Await.until(
                    () -> engine.snapshot().stuck() == 0 && engine.snapshot().activeFlights() == 0);
            assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.RUNNING);
            for (int key = 0; key < 64; key++) {
                CompletableFuture<Void> gate = new CompletableFuture<>();
                engine.bind(OperationDefinition.<Integer, Void>ofAsync("full", id -> id, id -> gate))
                        .callAsync(key);
            }
            assertThatThrownBy(() -> engine.call("one more", 1, () -> 1)).isInstanceOf(TooManyFlightsException.class);
            engine.snapshot();
        }
    }

    @Test
    void anAbortThatComesAfterTheSettlementTakesAPermitOfItsOwn() {
        AtomicReference<Flight> flight = new AtomicReference<>();
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().maxFlights(1).build()) {
            Operation<Integer, Integer> failsOnce = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        if (flight.get() == null) {
                            engine.keys.forEachFlight(flight::set);
                            throw new IllegalStateException("planned");
                        }
                        return id;
                    }),
                    OperationSettings.builder().retries(1).build());
            assertThat(failsOnce.call(1)).isEqualTo(1);

            flight.get().workerIsStuck(); // as by the timeout of the first attempt, overtaken by the second one's end

            assertThatThrownBy(() -> failsOnce.call(2)).isInstanceOf(TooManyFlightsException.class);
            flight.get().workerCameBack();
            assertThat(failsOnce.call(2)).isEqualTo(2);
            assertThat(engine.snapshot().stuck()).isZero();
        }
    }

    @Test
    void codeThatRunsWhenItsStageIsCancelledMayCallTheSameKey() throws Exception {
        ManualTimers time = new ManualTimers();
        AtomicReference<Operation<Integer, Integer>> self = new AtomicReference<>();
        CompletableFuture<Throwable> again = new CompletableFuture<>();
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().timers(time).ticker(time).build()) {
            self.set(engine.bind(
                    OperationDefinition.<Integer, Integer>ofAsync("load", id -> id, id -> {
                        CompletableFuture<Integer> stage = new CompletableFuture<>();
                        if (!again.isDone()) {
                            stage.whenComplete((value, cancelled) -> {
                                again.complete(cancelled);
                                self.get().call(id);
                            });
                            underWay.complete(null);
                            return stage;
                        }
                        return CompletableFuture.completedFuture(id);
                    }),
                    OperationSettings.builder().timeout(Duration.ofSeconds(1)).build()));
            CompletableFuture<Integer> caller = self.get().callAsync(1);
            Futures.get(underWay);

            CompletableFuture<Object> timeout = Threads.start(() -> {
                while (!again.isDone()) { // the stage may not be held yet: then its result is awaited, not its timeout
                    time.advance(Duration.ofSeconds(2));
                }
                return null;
            });

            assertThatThrownBy(() -> Futures.get(caller)).hasRootCauseInstanceOf(AttemptTimeoutException.class);
            assertThat(Futures.get(again)).isInstanceOf(java.util.concurrent.CancellationException.class);
            Futures.get(timeout);
        }
    }
}
