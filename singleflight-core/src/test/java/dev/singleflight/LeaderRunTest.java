package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader that lends its thread runs the attempts on it; callers without a thread to lend use a worker. */
@Timeout(120)
class LeaderRunTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final List<Thread> ran = new CopyOnWriteArrayList<>();

    private static OperationSettings.Builder leaderRun() {
        return OperationSettings.builder().runOn(RunOn.LEADER);
    }

    @Test
    void theWorkRunsOnTheThreadOfTheLeader() {
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    return "value";
                }),
                leaderRun().build());

        assertThat(operation.call(1)).isEqualTo("value");
        assertThat(ran).containsExactly(Thread.currentThread());
    }

    @Test
    void retriesRunOnTheThreadOfTheLeaderAtOnceAndAfterADelay() {
        for (Duration delay : List.of(Duration.ZERO, Duration.ofMillis(5))) {
            ran.clear();
            AtomicInteger attempts = new AtomicInteger();
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        ran.add(Thread.currentThread());
                        if (attempts.incrementAndGet() < 3) {
                            throw new IllegalStateException();
                        }
                        return id;
                    }),
                    leaderRun().retries(2).retryDelay(delay).build());

            assertThat(operation.callForOutcome(1).attempts()).isEqualTo(3);
            assertThat(ran).containsOnly(Thread.currentThread()).hasSize(3);
        }
    }

    @Test
    void callersWithoutAThreadToLendUseAWorker() throws Exception {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    return id;
                }),
                leaderRun().build());
        CompletableFuture<Integer> sent = new CompletableFuture<>();

        assertThat(Futures.get(operation.callAsync(1))).isEqualTo(1);
        operation.send(2, sent::complete);
        assertThat(Futures.get(sent)).isEqualTo(2);

        assertThat(ran)
                .hasSize(2)
                .allSatisfy(thread -> assertThat(thread.getName()).startsWith("singleflight-worker-"));
    }

    @Test
    void aThreadThatJoinsAFlightOfAWorkerIsNotUsed() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    Futures.await(gate);
                    ran.add(Thread.currentThread());
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException();
                    }
                    return id;
                }),
                leaderRun().retries(1).build());

        CompletableFuture<Integer> leader = operation.callAsync(1);
        Threads.Running<Integer> joined = Callers.parked(engine, () -> operation.call(1));
        gate.countDown();

        assertThat(Futures.get(leader)).isEqualTo(1);
        assertThat(Futures.get(joined.result())).isEqualTo(1);
        assertThat(ran).hasSize(2).doesNotContain(joined.thread());
    }

    @Test
    void asynchronousWorkStartsOnTheThreadOfTheLeaderAndHoldsIt() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.ofAsync("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    return stage;
                }),
                leaderRun().build());

        Threads.Running<String> leader = Callers.parked(engine, () -> operation.call(1));
        Threads.Running<String> joined = Callers.parked(engine, () -> operation.call(1));
        stage.complete("value");

        assertThat(Futures.get(leader.result())).isEqualTo("value");
        assertThat(Futures.get(joined.result())).isEqualTo("value");
        assertThat(ran).containsExactly(leader.thread());
    }

    @Test
    void aFailureReachesTheLeaderLikeEverybodyElse() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        IllegalStateException broken = new IllegalStateException("broken");
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    Futures.await(gate);
                    throw broken;
                }),
                leaderRun().build());

        Threads.Running<String> leader = Callers.parked(engine, () -> operation.call(1));
        Threads.Running<String> joined = Callers.parked(engine, () -> operation.call(1));
        gate.countDown();

        assertThat(Futures.failureOf(leader.result()))
                .isInstanceOf(OperationFailedException.class)
                .hasCause(broken);
        assertThat(Futures.failureOf(joined.result()))
                .isInstanceOf(OperationFailedException.class)
                .hasCause(broken);
        assertThatThrownBy(() -> operation.call(1)).hasCause(broken);
    }

    @Test
    void recursionThroughLeadersUntilTheStackIsFullFailsAndInterruptsNobody() throws Exception {
        try (SingleFlightEngine stopping =
                SingleFlightEngine.builder().shutdownTimeout(Duration.ZERO).build()) {
            AtomicReference<Operation<Integer, Integer>> recursive = new AtomicReference<>();
            recursive.set(stopping.bind(
                    OperationDefinition.of(
                            "recursive", id -> id, id -> recursive.get().call(id + 1)),
                    leaderRun().build()));
            Threads.Running<Boolean> caller = Threads.run(() -> {
                assertThatThrownBy(() -> recursive.get().call(0)).isInstanceOf(OperationFailedException.class);
                return Thread.currentThread().isInterrupted();
            });

            assertThat(Futures.get(caller.result())).isFalse();
            assertThat(stopping.snapshot().stuck()).isZero();
        }
    }
}
