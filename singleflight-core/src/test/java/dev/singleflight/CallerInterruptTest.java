package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An interrupted caller leaves with its flag set, and nobody else notices. */
@Timeout(120)
class CallerInterruptTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    private Operation<Integer, Integer> operation(OperationSettings.Builder settings) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    Futures.await(gate);
                    return id;
                }),
                settings.build());
    }

    private static boolean leftInterrupted(Operation<Integer, ?> operation) {
        try {
            throw new AssertionError("Got " + operation.call(1));
        } catch (FlightInterruptedException left) {
            return Thread.currentThread().isInterrupted();
        }
    }

    private OperationSnapshot figures() {
        return engine.snapshot().operations().get("load");
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void interruptedWaiterLeavesTheFlightRunning(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation =
                operation(OperationSettings.builder().runOn(runOn));
        Threads.Running<Outcome<Integer>> leader = Callers.parked(engine, () -> operation.callForOutcome(1));
        Threads.Running<Boolean> leaves = Callers.parked(engine, () -> leftInterrupted(operation));
        CompletableFuture<Integer> future = operation.callAsync(1);

        leaves.thread().interrupt();

        assertThat(Futures.get(leaves.result())).isTrue();
        assertThat(engine.snapshot().waiters()).isEqualTo(2);
        gate.countDown();
        assertThat(Futures.get(leader.result()).value()).isEqualTo(1);
        assertThat(Futures.get(leader.result()).served()).isEqualTo(2);
        assertThat(Futures.get(future)).isEqualTo(1);
        assertThat(executions).hasValue(1);
        assertThat(figures().interrupted()).isEqualTo(1);
    }

    @Test
    void interruptedLeaderOfAWorkersFlightHarmsNobody() throws Exception {
        Operation<Integer, Integer> operation = operation(OperationSettings.builder());
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leftInterrupted(operation));
        Threads.Running<Integer> joined = Callers.parked(engine, () -> operation.call(1));

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        gate.countDown();
        assertThat(Futures.get(joined.result())).isEqualTo(1);
        assertThat(executions).hasValue(1);
    }

    @Test
    void aCallerThatComesInterruptedStartsNothingAndJoinsNothing() throws Exception {
        Operation<Integer, Integer> operation = operation(OperationSettings.builder());

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(FlightInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(engine.snapshot().activeFlights()).isZero();

        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> operation.callForOutcome(1)).isInstanceOf(FlightInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();

        gate.countDown();
        Futures.get(leader.result());
        assertThat(figures().rejected()).isEqualTo(2);
        assertThat(figures().interrupted()).isEqualTo(2);
        assertThat(figures().joined()).isZero();
        assertThat(executions).hasValue(1);
    }

    @Test
    void aCallerThatComesInterruptedIsGivenWhatIsRetained() {
        Operation<Integer, Integer> operation =
                operation(OperationSettings.builder().cacheFor(Retention.untilEvicted()));
        gate.countDown();
        operation.call(1);

        Thread.currentThread().interrupt();
        Integer value = operation.call(1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(value).isEqualTo(1);
    }

    @Test
    void aCallerThatDoesNotBlockMayComeInterrupted() throws Exception {
        Operation<Integer, Integer> operation = operation(OperationSettings.builder());
        CompletableFuture<Integer> sent = new CompletableFuture<>();

        Thread.currentThread().interrupt();
        CompletableFuture<Integer> future = operation.callAsync(1);
        operation.send(1, sent::complete);
        assertThat(Thread.interrupted()).isTrue();

        gate.countDown();
        assertThat(Futures.get(future)).isEqualTo(1);
        assertThat(Futures.get(sent)).isEqualTo(1);
    }
}
