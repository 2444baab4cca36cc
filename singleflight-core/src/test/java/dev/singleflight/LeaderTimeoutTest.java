package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The attempt timeout of a leader's attempt settles the waiters, and its interrupt stays inside the attempt. */
@Timeout(120)
class LeaderTimeoutTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().ticker(time).timers(time).build();

    private final List<Thread> ran = new CopyOnWriteArrayList<>();
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    private Operation<Integer, Integer> operation(int retries, Work<Integer, Integer> work) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    return work.run(id);
                }),
                OperationSettings.builder()
                        .runOn(RunOn.LEADER)
                        .timeout(TIMEOUT)
                        .retries(retries)
                        .build());
    }

    private int ignoreInterrupt(int result) throws InterruptedException {
        try {
            Futures.await(never);
        } catch (InterruptedException timeout) {
            interrupted.countDown();
        }
        Futures.await(release);
        return result;
    }

    @Test
    void waitersAreSettledWhileTheLeaderIsStillInItsWork() throws Exception {
        Operation<Integer, Integer> operation = operation(0, this::ignoreInterrupt);
        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1));
        Threads.Running<Integer> joined = Callers.parked(engine, () -> operation.call(1));

        time.advance(TIMEOUT);

        assertThat(Futures.failureOf(joined.result())).isInstanceOf(AttemptTimeoutException.class);
        Futures.await(interrupted);
        assertThat(leader.result()).isNotDone();
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(engine.snapshot().stuck()).isEqualTo(1);

        release.countDown();
        assertThat(Futures.failureOf(leader.result())).isInstanceOf(AttemptTimeoutException.class);
        Await.until(() -> engine.snapshot().stuck() == 0);
    }

    @Test
    void theInterruptOfTheTimeoutIsClearedWhateverTheWorkDidWithIt() throws Exception {
        Operation<Integer, Integer> operation = operation(0, id -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            return id;
        });
        CompletableFuture<Boolean> flag = Threads.start(() -> {
            Outcome<Integer> outcome = operation.callForOutcome(1);
            assertThat(outcome.failure()).isInstanceOf(AttemptTimeoutException.class);
            return Thread.currentThread().isInterrupted();
        });
        Await.until(() -> ran.size() == 1);

        time.advance(TIMEOUT);

        assertThat(Futures.get(flag)).isFalse();
    }

    @Test
    void anInterruptFromOutsideThatTheWorkLeftAloneOutlastsTheTimeout() throws Exception {
        CountDownLatch overtaken = new CountDownLatch(1);
        Operation<Integer, Integer> operation = operation(0, id -> {
            while (overtaken.getCount() > 0) {
                Thread.onSpinWait();
            }
            return id;
        });
        Threads.Running<Boolean> leader = Threads.run(() -> {
            Outcome<Integer> outcome = operation.callForOutcome(1);
            assertThat(outcome.failure()).isInstanceOf(AttemptTimeoutException.class);
            return Thread.currentThread().isInterrupted();
        });
        Await.until(() -> ran.size() == 1);

        leader.thread().interrupt();
        time.advance(TIMEOUT);
        overtaken.countDown();

        assertThat(Futures.get(leader.result())).isTrue();
    }

    @Test
    void aLeaderThatObeysItsInterruptRunsTheNextAttemptItself() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Operation<Integer, Integer> operation = operation(1, id -> {
            if (attempts.incrementAndGet() == 1) {
                Futures.await(never);
            }
            return id;
        });
        Threads.Running<Outcome<Integer>> leader = Callers.parked(engine, () -> operation.callForOutcome(1));
        Threads.Running<Integer> joined = Callers.parked(engine, () -> operation.call(1));

        time.advance(TIMEOUT);

        assertThat(Futures.get(leader.result()).attempts()).isEqualTo(2);
        assertThat(Futures.get(leader.result()).value()).isEqualTo(1);
        assertThat(Futures.get(joined.result())).isEqualTo(1);
        assertThat(ran).containsExactly(leader.thread(), leader.thread());
    }

    @Test
    void whileALeaderIgnoresItsInterruptAWorkerRunsTheNextAttempt() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Operation<Integer, Integer> operation =
                operation(1, id -> attempts.incrementAndGet() == 1 ? ignoreInterrupt(-1) : id);
        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1));
        Threads.Running<Integer> joined = Callers.parked(engine, () -> operation.call(1));

        time.advance(TIMEOUT);
        Futures.await(interrupted);
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(joined.result())).isEqualTo(1);
        assertThat(ran).hasSize(2).doesNotContain(joined.thread());
        assertThat(ran.get(1)).isNotSameAs(leader.thread());
        release.countDown();
        assertThat(Futures.get(leader.result())).isEqualTo(1);
    }

    @Test
    void theLeaderWaitsOnALaterAttemptThatAWorkerRuns() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        Operation<Integer, Integer> operation = operation(1, id -> {
            if (attempts.incrementAndGet() == 1) {
                return ignoreInterrupt(-1);
            }
            Futures.await(second);
            return id;
        });
        Threads.Running<Integer> leader = Callers.parked(engine, () -> operation.call(1));

        time.advance(TIMEOUT);
        Futures.await(interrupted);
        time.advance(Duration.ofSeconds(1));
        Await.until(() -> ran.size() == 2);
        release.countDown();
        Await.until(() -> engine.snapshot().stuck() == 0);
        assertThat(leader.result()).isNotDone();
        second.countDown();

        assertThat(Futures.get(leader.result())).isEqualTo(1);
    }
}
