package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stop refuses callers from outside, waits for what runs, then interrupts it; a start begins empty. */
@Timeout(120)
class StopTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    private final OperationDefinition<Integer, Integer> gated = OperationDefinition.of("gated", id -> id, id -> {
        executions.incrementAndGet();
        inside.countDown();
        try {
            Futures.await(gate);
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
        return id;
    });
    private final OperationDefinition<Integer, Integer> prompt = OperationDefinition.of("prompt", id -> id, id -> {
        executions.incrementAndGet();
        return id;
    });

    @AfterEach
    void openTheGate() {
        gate.countDown();
    }

    private static SingleFlightEngine engine(Duration shutdownTimeout) {
        return SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .shutdownTimeout(shutdownTimeout)
                .build();
    }

    private static Threads.Running<Object> stopping(SingleFlightEngine engine) throws Exception {
        Threads.Running<Object> stop = Threads.run(() -> {
            engine.stop();
            return null;
        });
        Await.until(() -> engine.snapshot().state() == EngineSnapshot.State.CLOSING);
        Callers.untilParked(stop.thread());
        return stop;
    }

    @Test
    void aStopWaitsForWhatRunsAndItsCallersGetTheirValue() throws Exception {
        try (SingleFlightEngine engine = engine(LONG)) {
            Operation<Integer, Integer> operation = engine.bind(gated);
            CompletableFuture<Integer> future = operation.callAsync(1);
            Threads.Running<Integer> blocked = Callers.parked(engine, () -> operation.call(1));
            Threads.Running<Object> stop = stopping(engine);
            assertThat(stop.result()).isNotDone();

            gate.countDown();

            Futures.get(stop.result());
            assertThat(Futures.get(future)).isEqualTo(1);
            assertThat(Futures.get(blocked.result())).isEqualTo(1);
            EngineSnapshot after = engine.snapshot();
            assertThat(after.state()).isEqualTo(EngineSnapshot.State.CLOSED);
            assertThat(after.retainedItems()).isZero();
            assertThat(after.activeFlights()).isZero();
        }
    }

    @Test
    void aStopInterruptsWhatIsNotOverInTime() throws Exception {
        try (SingleFlightEngine engine = engine(Duration.ofMillis(1))) {
            Operation<Integer, Integer> operation = engine.bind(gated);
            CompletableFuture<Integer> future = operation.callAsync(1);
            Threads.Running<Outcome<Integer>> blocked = Callers.parked(engine, () -> operation.callForOutcome(1));
            Futures.await(inside);

            engine.stop();

            Futures.await(interrupted);
            assertThat(Futures.failureOf(future)).isInstanceOf(FlightUnavailableException.class);
            assertThat(Futures.get(blocked.result()).failure()).isInstanceOf(FlightUnavailableException.class);
            assertThat(engine.snapshot().activeFlights()).isZero();
            assertThat(engine.snapshot().retainedItems()).isZero();
        }
    }

    @Test
    void aStopEndsAFlightInItsRetryDelay() throws Exception {
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .ticker(time)
                .timers(time)
                .shutdownTimeout(Duration.ofMillis(1))
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("failing", id -> id, id -> {
                        executions.incrementAndGet();
                        throw new IllegalStateException();
                    }),
                    OperationSettings.builder().retries(1).retryDelay(LONG).build());
            CompletableFuture<Outcome<Integer>> leader = Threads.start(() -> operation.callForOutcome(1));
            Await.until(() -> engine.snapshot().operations().get("failing").retries() == 1);

            engine.stop();

            assertThat(Futures.get(leader).failure()).isInstanceOf(FlightUnavailableException.class);
            assertThat(Futures.get(leader).attempts()).isEqualTo(1);
            time.advance(LONG);
            assertThat(executions).hasValue(1);
        }
    }

    @Test
    void aForgottenFlightIsWaitedForToo() throws Exception {
        try (SingleFlightEngine engine = engine(Duration.ofMillis(1))) {
            CompletableFuture<Integer> future = engine.bind(gated).callAsync(1);
            Futures.await(inside);
            engine.bind(gated).forget(1);

            engine.stop();

            assertThat(Futures.failureOf(future)).isInstanceOf(FlightUnavailableException.class);
            Futures.await(interrupted);
        }
    }

    @Test
    void callersFromOutsideAreRefusedWhatIsRunningOrRetainedToo() throws Exception {
        try (SingleFlightEngine engine = engine(LONG)) {
            Operation<Integer, Integer> running = engine.bind(gated);
            Operation<Integer, Integer> retained = engine.bind(prompt);
            retained.call(1);
            CompletableFuture<Integer> future = running.callAsync(1);
            Threads.Running<Object> stop = stopping(engine);

            assertThatThrownBy(() -> running.call(1)).isInstanceOf(FlightUnavailableException.class);
            assertThatThrownBy(() -> running.call(2)).isInstanceOf(FlightUnavailableException.class);
            assertThatThrownBy(() -> retained.call(1)).isInstanceOf(FlightUnavailableException.class);
            assertThatThrownBy(() -> retained.callForOutcome(1)).isInstanceOf(FlightUnavailableException.class);
            assertThatThrownBy(() -> retained.send(1, value -> {})).isInstanceOf(FlightUnavailableException.class);
            assertThat(Futures.failureOf(retained.callAsync(1))).isInstanceOf(FlightUnavailableException.class);
            assertThatThrownBy(() -> engine.call("adhoc", 1, () -> 1)).isInstanceOf(FlightUnavailableException.class);
            gate.countDown();

            Futures.get(stop.result());
            assertThat(Futures.get(future)).isEqualTo(1);
            assertThatThrownBy(() -> retained.call(1)).isInstanceOf(FlightUnavailableException.class);
            assertThat(engine.snapshot().operations().get("prompt").rejected()).isEqualTo(5);
        }
    }

    @Test
    void callsFromInsideAttemptsAreStillAdmitted() throws Exception {
        try (SingleFlightEngine engine = engine(LONG)) {
            Operation<Integer, Integer> nested = engine.bind(prompt);
            CompletableFuture<Integer> sent = new CompletableFuture<>();
            CompletableFuture<Integer> outer = Threads.start(() -> engine.call("outer", 1, () -> {
                inside.countDown();
                Futures.await(gate);
                nested.send(3, sent::complete);
                return nested.call(1) + Futures.get(nested.callAsync(2)) + nested.call(1);
            }));
            Futures.await(inside);
            Threads.Running<Object> stop = stopping(engine);

            gate.countDown();

            assertThat(Futures.get(outer)).isEqualTo(4);
            assertThat(Futures.get(sent)).isEqualTo(3);
            Futures.get(stop.result());
            assertThat(engine.snapshot().retainedItems()).isZero();
        }
    }

    @Test
    void anInterruptedStopStopsWaitingAndKeepsTheFlag() throws Exception {
        try (SingleFlightEngine engine = engine(LONG)) {
            CompletableFuture<Integer> future = engine.bind(gated).callAsync(1);
            Futures.await(inside);
            Threads.Running<Boolean> stop = Threads.run(() -> {
                engine.stop();
                return Thread.currentThread().isInterrupted();
            });
            Callers.untilParked(stop.thread());

            stop.thread().interrupt();

            assertThat(Futures.get(stop.result())).isTrue();
            assertThat(Futures.failureOf(future)).isInstanceOf(FlightUnavailableException.class);
            assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.CLOSED);
        }
    }

    @Test
    void stopStartAndCloseAreIdempotent() throws Exception {
        SingleFlightEngine engine = engine(LONG);
        Operation<Integer, Integer> operation = engine.bind(prompt);
        engine.start();
        assertThat(operation.call(1)).isEqualTo(1);
        engine.start();
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        engine.stop();
        engine.stop();
        engine.start();
        engine.start();
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
        engine.close();
        engine.close();
        engine.stop();
        assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.CLOSED);
    }

    @Test
    void severalThreadsMayStopAtOnceAndEachWaits() throws Exception {
        try (SingleFlightEngine engine = engine(LONG)) {
            CompletableFuture<Integer> future = engine.bind(gated).callAsync(1);
            List<Threads.Running<Object>> stops = List.of(stopping(engine), stopping(engine));
            assertThat(stops).noneMatch(stop -> stop.result().isDone());

            gate.countDown();

            for (Threads.Running<Object> stop : stops) {
                Futures.get(stop.result());
            }
            assertThat(Futures.get(future)).isEqualTo(1);
        }
    }
}
