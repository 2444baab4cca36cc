package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.FlightListener.AttemptEnded;
import dev.singleflight.FlightListener.Result;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Retries belong to the flight: its callers stay attached and share what comes of them. */
@Timeout(60)
class RetriesTest {

    private final ManualTimers time = new ManualTimers();
    private final Events events = new Events();
    private final AtomicInteger running = new AtomicInteger();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .maxFlights(1)
            .timers(time)
            .listener(events)
            .executor(task -> Threads.start(() -> {
                running.incrementAndGet();
                task.run();
                return running.decrementAndGet();
            }))
            .build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();

    private Operation<Integer, Integer> succeedingAt(int attempt, RunOn runOn) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    gate.await();
                    int number = attempts.incrementAndGet();
                    if (number < attempt) {
                        throw new IllegalStateException("attempt " + number);
                    }
                    return number;
                }),
                OperationSettings.builder()
                        .retries(2)
                        .retryDelay(Duration.ofSeconds(1))
                        .timeout(Duration.ZERO)
                        .runOn(runOn)
                        .build());
    }

    @ParameterizedTest
    @EnumSource
    void twoRetriesAreThreeAttemptsWhoseCallersStayAttached(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation = succeedingAt(3, runOn);
        CompletableFuture<Outcome<Integer>> leader = Threads.start(() -> operation.callForOutcome(7));
        Await.waiters(engine, 1);
        CompletableFuture<Outcome<Integer>> joined = Threads.start(() -> operation.callForOutcome(7));
        Await.waiters(engine, 2);
        gate.countDown();
        pause(1);
        CompletableFuture<Integer> joinedInThePause = operation.callAsync(7);
        time.advance(Duration.ofSeconds(1));
        pause(2);
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(leader).value()).isEqualTo(3);
        assertThat(Futures.get(joined).value()).isEqualTo(3);
        assertThat(Futures.get(joinedInThePause)).isEqualTo(3);
        assertThat(Futures.get(leader).attempts()).isEqualTo(3);
        assertThat(Futures.get(joined).attempts()).isEqualTo(3);
        assertThat(Futures.get(joined).served()).isEqualTo(3);
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.executions()).isEqualTo(1);
        assertThat(figures.retries()).isEqualTo(2);
        assertThat(figures.failures()).isEqualTo(2);
        assertThat(events.of(AttemptEnded.class))
                .containsExactly(
                        new AttemptEnded("load", null, 1, Result.FAILURE, Duration.ofSeconds(1)),
                        new AttemptEnded("load", null, 2, Result.FAILURE, Duration.ofSeconds(1)),
                        new AttemptEnded("load", null, 3, Result.SUCCESS, null));
    }

    @ParameterizedTest
    @EnumSource
    void theLastFailureIsTheFlights(RunOn runOn) throws Exception {
        gate.countDown();
        CompletableFuture<Outcome<Integer>> call =
                Threads.start(() -> succeedingAt(9, runOn).callForOutcome(7));
        pause(1);
        time.advance(Duration.ofSeconds(1));
        pause(2);
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(call).failure()).hasMessage("attempt 3");
        assertThat(Futures.get(call).attempts()).isEqualTo(3);
        assertThat(attempts).hasValue(3);
        assertThat(engine.snapshot().operations().get("load").failures()).isEqualTo(3);
    }

    @Test
    void noThreadIsHeldDuringADelay() throws Exception {
        gate.countDown();
        CompletableFuture<Integer> call = succeedingAt(2, RunOn.WORKER).callAsync(7);
        pause(1);
        Await.until(() -> running.get() == 0);

        FlightSnapshot flight =
                engine.snapshot().operations().get("load").flights().get(0);
        assertThat(flight.state()).isEqualTo(FlightSnapshot.State.RETRY_DELAY);
        assertThat(flight.attempt()).isEqualTo(2);
        time.advance(Duration.ofSeconds(1));
        assertThat(Futures.get(call)).isEqualTo(2);
    }

    @Test
    void aFlightKeepsItsPermitDuringADelay() throws Exception {
        gate.countDown();
        Operation<Integer, Integer> operation = succeedingAt(2, RunOn.WORKER);
        CompletableFuture<Integer> call = operation.callAsync(7);
        pause(1);

        assertThat(Futures.failureOf(operation.callAsync(8))).isInstanceOf(TooManyFlightsException.class);
        time.advance(Duration.ofSeconds(1));
        assertThat(Futures.get(call)).isEqualTo(2);
    }

    @Test
    void aLeaderRunsEveryAttemptOnItsOwnThread() throws Exception {
        gate.countDown();
        Operation<Integer, Thread> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (attempts.incrementAndGet() < 3) {
                        throw new IllegalStateException();
                    }
                    return Thread.currentThread();
                }),
                OperationSettings.builder()
                        .retries(2)
                        .retryDelay(Duration.ofSeconds(1))
                        .timeout(Duration.ZERO)
                        .runOn(RunOn.LEADER)
                        .build());
        Threads.Running<Thread> leader = Threads.run(() -> operation.call(7));
        pause(1);
        time.advance(Duration.ofSeconds(1));
        pause(2);
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(leader.result())).isSameAs(leader.thread());
    }

    @ParameterizedTest
    @EnumSource
    void retriesWithoutADelayFollowAtOnce(RunOn runOn) {
        try (SingleFlightEngine real = SingleFlightEngine.builder().build()) {
            Operation<Integer, Integer> operation = real.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        int number = attempts.incrementAndGet();
                        if (number < 101) {
                            throw new IllegalStateException();
                        }
                        return number;
                    }),
                    OperationSettings.builder().retries(100).runOn(runOn).build());

            assertThat(operation.call(7)).isEqualTo(101);
        }
    }

    private void pause(int retry) throws Exception {
        Await.until(() -> time.armed() == 1
                && engine.snapshot().operations().get("load").retries() == retry
                && engine.snapshot().operations().get("load").flights().stream()
                        .allMatch(flight -> flight.state() == FlightSnapshot.State.RETRY_DELAY));
    }
}
