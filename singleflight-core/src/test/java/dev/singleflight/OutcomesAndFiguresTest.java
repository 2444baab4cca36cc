package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a caller learns of its part in a flight, and what the figures make of all callers. */
@Timeout(60)
class OutcomesAndFiguresTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .ticker(time)
            .timers(time)
            .maxFlights(2)
            .shutdownTimeout(Duration.ZERO)
            .build();

    private final CompletableFuture<Object> stage = new CompletableFuture<>();
    private final Operation<Integer, Object> operation = engine.bind(
            OperationDefinition.ofAsync("load", id -> id, id -> stage),
            OperationSettings.builder()
                    .cacheFor(Retention.untilEvicted())
                    .maxWaiters(4)
                    .build());

    @Test
    void anOutcomeTellsRoleAttemptsAndWhoWasServed() throws Exception {
        CompletableFuture<Outcome<Object>> leader = Threads.start(() -> operation.callForOutcome(7));
        Await.waiters(engine, 1);
        CompletableFuture<Outcome<Object>> joined = Threads.start(() -> operation.callForOutcome(7));
        CompletableFuture<Object> leaving = operation.callAsync(7);
        Await.waiters(engine, 3);
        leaving.cancel(true);
        stage.complete("value");

        assertOutcome(Futures.get(leader), Role.LEADER);
        assertOutcome(Futures.get(joined), Role.JOINED);
        assertOutcome(operation.callForOutcome(7), Role.RETAINED);
        assertOutcome(operation.callForOutcome(7), Role.RETAINED);
        assertThat(Futures.get(leader)).hasToString("Outcome[load, success, role=LEADER, attempts=1, served=2]");
    }

    private static void assertOutcome(Outcome<Object> outcome, Role role) {
        assertThat(outcome.isSuccess()).isTrue();
        assertThat(outcome.value()).isEqualTo("value");
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.role()).isEqualTo(role);
        assertThat(outcome.attempts()).isEqualTo(1);
        assertThat(outcome.served()).isEqualTo(2);
    }

    @Test
    void everyCallerIsInOneOfFourSums() throws Exception {
        CompletableFuture<Object> leader = operation.callAsync(7);
        CompletableFuture<Object> joined = operation.callAsync(7);
        CompletableFuture<Object> cancelled = operation.callAsync(7);
        CompletableFuture<Object> timedOut = operation.callAsync(7, Duration.ofSeconds(1));
        assertThat(Futures.failureOf(operation.callAsync(7))).isInstanceOf(TooManyWaitersException.class);
        cancelled.cancel(true);
        time.advance(Duration.ofSeconds(1));
        assertThat(Futures.failureOf(timedOut)).isInstanceOf(WaitTimeoutException.class);
        Threads.Running<Object> interrupted = Threads.run(() -> operation.call(7));
        Await.waiters(engine, 3);
        interrupted.thread().interrupt();
        assertThat(Futures.failureOf(interrupted.result())).isInstanceOf(FlightInterruptedException.class);
        assertThat(Futures.failureOf(operation.callAsync(8, Duration.ZERO))).isInstanceOf(WaitTimeoutException.class);
        CompletableFuture<Object> second = operation.callAsync(9);
        assertThat(Futures.failureOf(operation.callAsync(10))).isInstanceOf(TooManyFlightsException.class);

        OperationSnapshot running = engine.snapshot().operations().get("load");
        assertThat(running.activeFlights()).isEqualTo(2);
        assertThat(running.waiters()).isEqualTo(3);
        assertThat(running.flights())
                .extracting(FlightSnapshot::key, FlightSnapshot::waiters, FlightSnapshot::age)
                .containsExactlyInAnyOrder(tuple(7, 2, Duration.ofSeconds(1)), tuple(9, 1, Duration.ZERO));
        stage.complete("value");
        assertThat(List.of(Futures.get(leader), Futures.get(joined), Futures.get(second)))
                .containsOnly("value");
        operation.call(7);
        operation.callForOutcome(7);
        operation.callAsync(9);

        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures)
                .isEqualTo(new OperationSnapshot(0, 0, 0, 2, 12, 2, 4, 3, 0, 0, 0, 2, 1, 1, 3, 0, List.of()));
    }

    @Test
    void anEngineShowsTheSumsOfItsOperationsInOrder() throws Exception {
        Operation<Integer, Object> another = engine.bind(OperationDefinition.ofAsync("another", id -> id, id -> stage));
        CompletableFuture<Object> first = operation.callAsync(7);
        CompletableFuture<Object> second = another.callAsync(7);
        CompletableFuture<Object> third = another.callAsync(7);

        EngineSnapshot now = engine.snapshot();
        assertThat(now.state()).isEqualTo(EngineSnapshot.State.RUNNING);
        assertThat(now.activeFlights()).isEqualTo(2);
        assertThat(now.waiters()).isEqualTo(3);
        assertThat(now.operations().keySet()).containsExactly("another", "load");
        stage.complete("value");
        Futures.get(CompletableFuture.allOf(first, second, third));
        assertThat(engine.snapshot().retainedItems()).isEqualTo(1);
    }

    @Test
    void anOperationBoundButNeverCalledHasFiguresOfZero() {
        assertThat(engine.snapshot().operations().get("load").calls()).isZero();
        assertThat(engine.snapshot().operations().get("load").activeFlights()).isZero();
    }
}
