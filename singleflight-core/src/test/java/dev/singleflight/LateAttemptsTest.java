package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an attempt does after its timeout settles nothing any more. */
@Timeout(60)
class LateAttemptsTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .timers(time)
            .shutdownTimeout(Duration.ZERO)
            .build();

    private final OperationSettings.Builder settings = OperationSettings.builder()
            .timeout(Duration.ofSeconds(5))
            .retries(1)
            .retryDelay(Duration.ofSeconds(1));

    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch lateGate = new CountDownLatch(1);
    private final CountDownLatch late = new CountDownLatch(1);
    private final CountDownLatch secondGate = new CountDownLatch(1);

    @ParameterizedTest
    @CsvSource({"WORKER, false", "WORKER, true", "LEADER, false", "LEADER, true"})
    void aLateReturnNeitherSettlesThePauseNorTheNextAttempt(RunOn runOn, boolean duringTheNextAttempt)
            throws Exception {
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (attempts.incrementAndGet() == 1) {
                        Futures.awaitStubbornly(lateGate);
                        late.countDown();
                        return "late";
                    }
                    secondGate.await();
                    return "in time";
                }),
                settings.runOn(runOn).build());
        CompletableFuture<String> leader = Threads.start(() -> operation.call(7));
        Await.until(() -> attempts.get() == 1);
        CompletableFuture<String> joined = Threads.start(() -> operation.call(7));
        Await.waiters(engine, 2);

        time.advance(Duration.ofSeconds(5));
        if (duringTheNextAttempt) {
            time.advance(Duration.ofSeconds(2));
            Await.until(() -> attempts.get() == 2);
        }
        lateGate.countDown();
        Futures.await(late);
        Await.until(() -> engine.snapshot().stuck() == 0);
        assertThat(leader).isNotDone();
        assertThat(joined).isNotDone();
        time.advance(Duration.ofSeconds(2));
        secondGate.countDown();

        assertThat(Futures.get(joined)).isEqualTo("in time");
        assertThat(Futures.get(leader)).isEqualTo("in time");
        assertThat(attempts).hasValue(2);
        assertThat(engine.snapshot().activeFlights()).isZero();
    }

    @Test
    void aLateFailureSpendsNoRetry() throws Exception {
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (attempts.incrementAndGet() == 1) {
                        Futures.awaitStubbornly(lateGate);
                        throw new IllegalStateException("late");
                    }
                    return "in time";
                }),
                settings.build());
        CompletableFuture<String> call = operation.callAsync(7);
        Await.until(() -> attempts.get() == 1);
        time.advance(Duration.ofSeconds(5));
        lateGate.countDown();
        Await.until(() -> engine.snapshot().stuck() == 0);
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(call)).isEqualTo("in time");
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.retries()).isEqualTo(1);
        assertThat(figures.failures()).isZero();
        assertThat(figures.timeouts()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aLateStageNeitherSettlesThePauseNorTheNextAttempt(RunOn runOn) throws Exception {
        // not cancellable from outside, as with many libraries
        List<CompletableFuture<String>> stages = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.ofAsync(
                        "load",
                        id -> id,
                        id -> stages.get(attempts.getAndIncrement()).minimalCompletionStage()),
                settings.runOn(runOn).build());
        CompletableFuture<String> leader = Threads.start(() -> operation.call(7));
        Await.until(() -> stages.get(0).getNumberOfDependents() == 1);
        CompletableFuture<String> future = operation.callAsync(7);

        time.advance(Duration.ofSeconds(5));
        stages.get(0).complete("late");
        assertThat(future).isNotDone();
        time.advance(Duration.ofSeconds(1));
        Await.until(() -> stages.get(1).getNumberOfDependents() == 1);
        assertThat(future).isNotDone();
        stages.get(1).complete("in time");

        assertThat(Futures.get(leader)).isEqualTo("in time");
        assertThat(Futures.get(future)).isEqualTo("in time");
    }

    @Test
    void aStageThatIsReturnedTooLateIsCancelled() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.ofAsync("load", id -> id, id -> {
                    attempts.incrementAndGet();
                    Futures.awaitStubbornly(lateGate);
                    return stage;
                }),
                settings.retries(0).build());
        CompletableFuture<String> call = operation.callAsync(7);
        Await.until(() -> attempts.get() == 1);
        time.advance(Duration.ofSeconds(5));

        assertThat(Futures.failureOf(call)).isInstanceOf(AttemptTimeoutException.class);
        lateGate.countDown();
        Await.until(stage::isCancelled);
        Await.until(() -> engine.snapshot().stuck() == 0);
    }
}
