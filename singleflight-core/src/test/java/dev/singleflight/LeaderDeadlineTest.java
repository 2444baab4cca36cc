package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The own deadline of a leader counts between attempts only, and is followed by the same succession as an interrupt. */
@Timeout(120)
class LeaderDeadlineTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().ticker(time).timers(time).build();

    private final List<Thread> ran = new CopyOnWriteArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    /** The first attempt lasts two seconds and fails; the second succeeds. */
    private Operation<Integer, Integer> slowThenFine(int retries) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    if (ran.size() == 1) {
                        Futures.await(gate);
                        time.advance(Duration.ofSeconds(2));
                        if (retries > 0) {
                            throw new IllegalStateException();
                        }
                    }
                    return id;
                }),
                OperationSettings.builder().runOn(RunOn.LEADER).retries(retries).build());
    }

    @Test
    void anAttemptUnderWayIsNotBrokenOffByIt() {
        Operation<Integer, Integer> operation = slowThenFine(0);
        gate.countDown();

        assertThat(operation.call(1, Duration.ofSeconds(1))).isEqualTo(1);
    }

    @Test
    void aLeaderWhoseTimeIsOverLeavesBeforeTheNextAttemptToAWaitingThread() throws Exception {
        Operation<Integer, Integer> operation = slowThenFine(1);
        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1, Duration.ofSeconds(1)));
        Threads.Running<Outcome<Integer>> joined = Callers.parked(engine, () -> operation.callForOutcome(1));

        gate.countDown();
        assertThat(Futures.failureOf(leader.result())).isInstanceOf(WaitTimeoutException.class);
        time.advance(Duration.ZERO);

        assertThat(Futures.get(joined.result()).value()).isEqualTo(1);
        assertThat(Futures.get(joined.result()).attempts()).isEqualTo(2);
        assertThat(Futures.get(joined.result()).served()).isEqualTo(1);
        assertThat(ran).containsExactly(leader.thread(), joined.thread());
    }

    @Test
    void aWorkerSucceedsItWhereNoThreadWaits() throws Exception {
        Operation<Integer, Integer> operation = slowThenFine(1);
        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1, Duration.ofSeconds(1)));
        CompletableFuture<Integer> joined = operation.callAsync(1);

        gate.countDown();
        assertThat(Futures.failureOf(leader.result())).isInstanceOf(WaitTimeoutException.class);
        time.advance(Duration.ZERO);

        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(ran).hasSize(2);
        assertThat(ran.get(1).getName()).startsWith("singleflight-worker-");
    }

    @Test
    void aLeaderWithTimeLeftRunsTheNextAttemptItself() {
        Operation<Integer, Integer> operation = slowThenFine(1);
        gate.countDown();

        assertThat(operation.call(1, Duration.ofSeconds(10))).isEqualTo(1);
        assertThat(ran).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void theFlightOfALeaderThatLeftAloneIsCancelledWhereAbandonmentCancels() {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    time.advance(Duration.ofSeconds(2));
                    throw new IllegalStateException();
                }),
                OperationSettings.builder()
                        .runOn(RunOn.LEADER)
                        .retries(1)
                        .whenAbandoned(WhenAbandoned.CANCEL)
                        .build());

        assertThatThrownBy(() -> operation.call(1, Duration.ofSeconds(1))).isInstanceOf(WaitTimeoutException.class);

        time.advance(Duration.ofMinutes(1));
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(ran).hasSize(1);
    }
}
