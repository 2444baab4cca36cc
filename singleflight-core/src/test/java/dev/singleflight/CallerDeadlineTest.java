package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The deadline of a caller is its own affair; only when everybody has left does the policy of abandonment decide. */
@Timeout(120)
class CallerDeadlineTest {

    private static final Duration SOON = Duration.ofMillis(5);
    private static final Duration LATE = Duration.ofHours(1);

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().shutdownTimeout(Duration.ZERO).build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    private Operation<Integer, Integer> operation(OperationSettings.Builder settings) {
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
                settings.build());
    }

    private static OperationSettings.Builder retaining() {
        return OperationSettings.builder().cacheFor(Retention.untilEvicted());
    }

    private OperationSnapshot figures() {
        return engine.snapshot().operations().get("load");
    }

    @Test
    void onlyTheCallerWhoseTimeIsOverLeaves() throws Exception {
        Operation<Integer, Integer> operation = operation(retaining());
        Threads.Running<Outcome<Integer>> leader = Callers.parked(engine, () -> operation.callForOutcome(1));

        assertThatThrownBy(() -> operation.call(1, SOON)).isInstanceOfSatisfying(WaitTimeoutException.class, e -> {
            assertThat(e.getOperation()).isEqualTo("load");
            assertThat(e.getElapsed()).isGreaterThanOrEqualTo(SOON);
        });
        assertThat(engine.snapshot().waiters()).isEqualTo(1);
        gate.countDown();

        assertThat(Futures.get(leader.result()).value()).isEqualTo(1);
        assertThat(Futures.get(leader.result()).served()).isEqualTo(1);
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        assertThat(executions).hasValue(1);
        assertThat(figures().waitTimeouts()).isEqualTo(1);
    }

    @Test
    void theLeaderWhoseTimeIsOverLeavesTheFlightToTheOthers() throws Exception {
        Operation<Integer, Integer> operation = operation(retaining());

        assertThatThrownBy(() -> operation.call(1, SOON)).isInstanceOf(WaitTimeoutException.class);
        Threads.Running<Integer> joined = Callers.parked(engine, () -> operation.call(1));
        gate.countDown();

        assertThat(Futures.get(joined.result())).isEqualTo(1);
        assertThat(executions).hasValue(1);
    }

    @Test
    void aFlightThatEverybodyLeftCompletesAndIsRetained() throws Exception {
        Operation<Integer, Integer> operation = operation(retaining());
        assertThatThrownBy(() -> operation.call(1, SOON)).isInstanceOf(WaitTimeoutException.class);
        assertThatThrownBy(() -> operation.call(1, SOON)).isInstanceOf(WaitTimeoutException.class);
        assertThat(Futures.failureOf(operation.callAsync(1, SOON))).isInstanceOf(WaitTimeoutException.class);
        assertThat(engine.snapshot().waiters()).isZero();
        assertThat(engine.snapshot().activeFlights()).isEqualTo(1);

        gate.countDown();
        Await.until(() -> engine.snapshot().activeFlights() == 0);

        assertThat(operation.call(1, Duration.ZERO)).isEqualTo(1);
        assertThat(executions).hasValue(1);
    }

    @Test
    void aFlightThatEverybodyLeftIsInterruptedAndItsKeyFreedWhereAbandonmentCancels() throws Exception {
        Operation<Integer, Integer> operation = operation(retaining().whenAbandoned(WhenAbandoned.CANCEL));
        CompletableFuture<Integer> leader = operation.callAsync(1);
        Await.until(() -> executions.get() == 1);
        assertThatThrownBy(() -> operation.call(1, SOON)).isInstanceOf(WaitTimeoutException.class);
        assertThat(interrupted.getCount()).isEqualTo(1);

        leader.cancel(true);

        Futures.await(interrupted);
        assertThat(engine.snapshot().activeFlights()).isZero();
        gate.countDown();
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
        assertThat(executions).hasValue(2);
    }

    @Test
    void theZeroDeadlineTakesWhatIsRetained() {
        Operation<Integer, Integer> operation = operation(retaining());
        gate.countDown();
        operation.call(1);

        assertThat(operation.call(1, Duration.ZERO)).isEqualTo(1);
        assertThat(operation.callForOutcome(1, Duration.ZERO).role()).isEqualTo(Role.RETAINED);
        assertThat(operation.callAsync(1, Duration.ZERO)).isCompletedWithValue(1);
    }

    @Test
    void theZeroDeadlineStartsNothingAndJoinsNothing() throws Exception {
        Operation<Integer, Integer> operation = operation(OperationSettings.builder());

        assertThatThrownBy(() -> operation.call(1, Duration.ZERO)).isInstanceOf(WaitTimeoutException.class);
        assertThat(engine.snapshot().activeFlights()).isZero();
        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1));
        assertThatThrownBy(() -> operation.callForOutcome(1, Duration.ZERO)).isInstanceOf(WaitTimeoutException.class);
        CompletableFuture<Integer> late = operation.callAsync(1, Duration.ZERO);
        assertThat(late).isCompletedExceptionally();
        assertThat(Futures.failureOf(late)).isInstanceOf(WaitTimeoutException.class);

        gate.countDown();
        Futures.get(leader.result());
        OperationSnapshot figures = figures();
        assertThat(figures.calls()).isEqualTo(4);
        assertThat(figures.executions()).isEqualTo(1);
        assertThat(figures.joined()).isZero();
        assertThat(figures.rejected()).isEqualTo(3);
        assertThat(figures.waitTimeouts()).isEqualTo(3);
    }

    @Test
    void aNegativeDeadlineIsAnIllegalArgument() {
        Operation<Integer, Integer> operation = operation(OperationSettings.builder());
        Duration negative = Duration.ofNanos(-1);

        assertThatThrownBy(() -> operation.call(1, negative)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operation.callForOutcome(1, negative)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operation.callAsync(1, negative)).isInstanceOf(IllegalArgumentException.class);
        assertThat(executions).hasValue(0);
    }

    @Test
    void theDeadlineOfTheCallBeatsTheWaitTimeoutOfTheHandle() throws Exception {
        Operation<Integer, Integer> hasty =
                operation(OperationSettings.builder().waitTimeout(SOON));
        Operation<Integer, Integer> patient =
                operation(OperationSettings.builder().waitTimeout(LATE));

        assertThatThrownBy(() -> patient.call(1, SOON)).isInstanceOf(WaitTimeoutException.class);
        CompletableFuture<Integer> future = hasty.callAsync(2, LATE);
        Threads.Running<Integer> blocking = Callers.parked(engine, () -> hasty.call(2, LATE));
        assertThatThrownBy(() -> hasty.call(2)).isInstanceOf(WaitTimeoutException.class);
        gate.countDown();

        assertThat(Futures.get(future)).isEqualTo(2);
        assertThat(Futures.get(blocking.result())).isEqualTo(2);
    }

    @Test
    void everyCallerHasTheWaitTimeoutOfItsOwnHandle() throws Exception {
        OperationDefinition<Integer, Integer> definition = OperationDefinition.of("load", id -> id, id -> {
            Futures.await(gate);
            return id;
        });
        Operation<Integer, Integer> hasty = engine.bind(
                definition, OperationSettings.builder().waitTimeout(SOON).build());
        Operation<Integer, Integer> patient = engine.bind(definition);

        assertThat(Futures.failureOf(hasty.callAsync(1))).isInstanceOf(WaitTimeoutException.class);
        Threads.Running<Integer> waits = Callers.parked(engine, () -> patient.call(1));
        assertThatThrownBy(() -> hasty.call(1)).isInstanceOf(WaitTimeoutException.class);
        gate.countDown();

        assertThat(Futures.get(waits.result())).isEqualTo(1);
    }

    @Test
    void aZeroWaitTimeoutInSettingsLiftsAnInheritedOne() throws Exception {
        try (SingleFlightEngine hasty = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder().waitTimeout(SOON).build())
                .build()) {
            Operation<Integer, Integer> operation = hasty.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        Futures.await(gate);
                        return id;
                    }),
                    OperationSettings.builder().waitTimeout(Duration.ZERO).build());
            Threads.Running<Integer> caller = Threads.run(() -> operation.call(1));
            Await.until(() -> caller.thread().getState() == Thread.State.WAITING);
            gate.countDown();

            assertThat(Futures.get(caller.result())).isEqualTo(1);
        }
    }

    @Test
    void theWaitTimeoutOfAFutureRunsOnTheTimersOfTheEngine() throws Exception {
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine manual = SingleFlightEngine.builder()
                .ticker(time)
                .timers(time)
                .shutdownTimeout(Duration.ZERO)
                .build()) {
            Operation<Integer, Integer> operation = manual.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        Futures.await(gate);
                        return id;
                    }),
                    OperationSettings.builder()
                            .timeout(Duration.ZERO)
                            .waitTimeout(Duration.ofSeconds(3))
                            .build());
            CompletableFuture<Integer> leader = operation.callAsync(1);
            CompletableFuture<Integer> longer = operation.callAsync(1, Duration.ofSeconds(9));

            time.advance(Duration.ofMillis(2999));
            assertThat(List.of(leader, longer)).noneMatch(CompletableFuture::isDone);
            time.advance(Duration.ofMillis(1));
            assertThat(Futures.failureOf(leader))
                    .isInstanceOfSatisfying(
                            WaitTimeoutException.class,
                            e -> assertThat(e.getElapsed()).isEqualTo(Duration.ofSeconds(3)));
            gate.countDown();

            assertThat(Futures.get(longer)).isEqualTo(1);
            assertThat(time.armed()).isZero();
        }
    }
}
