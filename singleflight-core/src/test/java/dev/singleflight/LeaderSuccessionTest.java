package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader that is interrupted from outside leaves, and exactly one thread takes its attempt over. */
@Timeout(120)
class LeaderSuccessionTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().ticker(time).timers(time).build();

    private final List<Thread> ran = new CopyOnWriteArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);

    private Operation<Integer, Integer> operation(OperationSettings settings, Work<Integer, Integer> work) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    ran.add(Thread.currentThread());
                    return work.run(id);
                }),
                settings);
    }

    private static OperationSettings.Builder leaderRun() {
        return OperationSettings.builder().runOn(RunOn.LEADER);
    }

    private int blockFirst(int result) throws InterruptedException {
        if (ran.size() == 1) {
            Futures.await(never);
        }
        return result;
    }

    private static boolean leavesInterrupted(Operation<Integer, ?> operation) {
        try {
            throw new AssertionError("Got " + operation.call(1));
        } catch (FlightInterruptedException left) {
            return Thread.currentThread().isInterrupted();
        }
    }

    @Test
    void exactlyOneWaitingThreadSucceedsIt() throws Exception {
        Operation<Integer, Integer> operation = operation(leaderRun().retries(2).build(), this::blockFirst);
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        List<Threads.Running<Outcome<Integer>>> joined = Callers.parked(engine, 5, () -> operation.callForOutcome(1));

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        for (Threads.Running<Outcome<Integer>> caller : joined) {
            Outcome<Integer> outcome = Futures.get(caller.result());
            assertThat(outcome.value()).isEqualTo(1);
            assertThat(outcome.attempts()).isEqualTo(1);
            assertThat(outcome.role()).isEqualTo(Role.JOINED);
            assertThat(outcome.served()).isEqualTo(5);
        }
        assertThat(ran).hasSize(2);
        assertThat(joined).extracting(Threads.Running::thread).contains(ran.get(1));
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.executions()).isEqualTo(1);
        assertThat(figures.interrupted()).isEqualTo(1);
        assertThat(figures.retries()).isZero();
    }

    @Test
    void itsSuccessorHasTheWholeTimeout() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Integer> operation =
                operation(leaderRun().timeout(Duration.ofSeconds(30)).build(), id -> {
                    Futures.await(ran.size() == 1 ? never : gate);
                    return id;
                });
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        CompletableFuture<Integer> joined = operation.callAsync(1);

        time.advance(Duration.ofSeconds(20));
        leader.thread().interrupt();
        assertThat(Futures.get(leader.result())).isTrue();
        Await.until(() -> ran.size() == 2);
        time.advance(Duration.ofSeconds(29));
        gate.countDown();

        assertThat(Futures.get(joined)).isEqualTo(1);
    }

    @Test
    void aWorkerSucceedsItWhereNoThreadWaits() throws Exception {
        Operation<Integer, Integer> operation = operation(leaderRun().build(), this::blockFirst);
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        CompletableFuture<Integer> joined = operation.callAsync(1);

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(ran).hasSize(2);
        assertThat(ran.get(1).getName()).startsWith("singleflight-worker-");
    }

    @Test
    void theFlightOfALonelyLeaderGoesOnAndIsRetained() throws Exception {
        Operation<Integer, Integer> operation =
                operation(leaderRun().cacheFor(Retention.untilEvicted()).build(), this::blockFirst);
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        Await.until(() -> engine.snapshot().activeFlights() == 0);
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        assertThat(ran).hasSize(2);
    }

    @Test
    void theFlightOfALonelyLeaderIsCancelledWhereAbandonmentCancels() throws Exception {
        Operation<Integer, Integer> operation =
                operation(leaderRun().whenAbandoned(WhenAbandoned.CANCEL).build(), this::blockFirst);
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(ran).hasSize(1);
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
    }

    @Test
    void theSuccessorRepeatsTheAttemptAndSpendsNoRetry() throws Exception {
        Operation<Integer, Integer> operation = operation(leaderRun().retries(1).build(), id -> {
            if (ran.size() == 2) {
                throw new IllegalStateException("the first attempt, by the successor");
            }
            return blockFirst(id);
        });
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        Threads.Running<Outcome<Integer>> joined = Callers.parked(engine, () -> operation.callForOutcome(1));

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        assertThat(Futures.get(joined.result()).value()).isEqualTo(1);
        assertThat(Futures.get(joined.result()).attempts()).isEqualTo(2);
        assertThat(ran).containsExactly(leader.thread(), joined.thread(), joined.thread());
        assertThat(engine.snapshot().operations().get("load").retries()).isEqualTo(1);
    }

    @Test
    void aSuccessorThatIsInterruptedTooIsSucceededInTurn() throws Exception {
        Operation<Integer, Integer> operation = operation(leaderRun().build(), id -> {
            if (ran.size() <= 2) {
                Futures.await(never);
            }
            return id;
        });
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        Threads.Running<Boolean> second = Callers.parked(engine, () -> leavesInterrupted(operation));
        CompletableFuture<Integer> rest = operation.callAsync(1);

        leader.thread().interrupt();
        Await.until(() -> ran.size() == 2);
        second.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        assertThat(Futures.get(second.result())).isTrue();
        assertThat(Futures.get(rest)).isEqualTo(1);
        assertThat(ran).hasSize(3);
        assertThat(ran.get(1)).isSameAs(second.thread());
    }

    @Test
    void workThatFailsInItsOwnWayUnderTheInterruptIsRepeatedToo() throws Exception {
        Operation<Integer, Integer> operation = operation(leaderRun().build(), id -> {
            if (ran.size() == 1) {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                throw new IllegalStateException("connection closed by interrupt");
            }
            return id;
        });
        Threads.Running<Boolean> leader = Threads.run(() -> leavesInterrupted(operation));
        Await.until(() -> ran.size() == 1);
        CompletableFuture<Integer> joined = operation.callAsync(1);

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        assertThat(Futures.get(joined)).isEqualTo(1);
    }

    @Test
    void workThatSucceedsInSpiteOfTheInterruptIsNotRepeated() throws Exception {
        Operation<Integer, Integer> operation = operation(leaderRun().build(), id -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            return id;
        });
        Threads.Running<Boolean> leader = Threads.run(() -> {
            assertThat(operation.call(1)).isEqualTo(1);
            return Thread.currentThread().isInterrupted();
        });
        Await.until(() -> ran.size() == 1);
        CompletableFuture<Integer> joined = operation.callAsync(1);

        leader.thread().interrupt();

        assertThat(Futures.get(leader.result())).isTrue();
        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(ran).hasSize(1);
    }

    @Test
    void aLeaderInterruptedInARetryDelayIsSucceededByAWaitingThread() throws Exception {
        Operation<Integer, Integer> operation = delayed();
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        Threads.Running<Outcome<Integer>> joined = Callers.parked(engine, () -> operation.callForOutcome(1));

        leader.thread().interrupt();
        assertThat(Futures.get(leader.result())).isTrue();
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(joined.result()).attempts()).isEqualTo(2);
        assertThat(ran).containsExactly(leader.thread(), joined.thread());
    }

    @Test
    void aLeaderInterruptedInARetryDelayIsSucceededByAWorkerWhereNoThreadWaits() throws Exception {
        Operation<Integer, Integer> operation = delayed();
        Threads.Running<Boolean> leader = Callers.parked(engine, () -> leavesInterrupted(operation));
        CompletableFuture<Integer> joined = operation.callAsync(1);

        leader.thread().interrupt();
        assertThat(Futures.get(leader.result())).isTrue();
        time.advance(Duration.ofSeconds(1));

        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(ran.get(1).getName()).startsWith("singleflight-worker-");
    }

    /** Fails once, then works. */
    private Operation<Integer, Integer> delayed() {
        return operation(
                leaderRun().retries(1).retryDelay(Duration.ofSeconds(1)).build(), id -> {
                    if (ran.size() == 1) {
                        throw new IllegalStateException();
                    }
                    return id;
                });
    }

    @Test
    void anInterruptThatEndedWorkElsewhereIsNoInterruptOfTheLeader() throws Exception {
        Operation<Integer, Integer> inner = engine.bind(OperationDefinition.of("inner", id -> id, id -> {
            throw new InterruptedException("of a thread of its own");
        }));
        for (Work<Integer, Integer> work : List.<Work<Integer, Integer>>of(
                inner::call,
                id -> inner.callAsync(id).join(),
                id -> inner.callAsync(id).get())) {
            ran.clear();
            Operation<Integer, Integer> operation = operation(leaderRun().build(), work);
            Threads.Running<Boolean> leader = Threads.run(() -> {
                Outcome<Integer> outcome = operation.callForOutcome(1);
                assertThat(outcome.failure()).hasRootCauseInstanceOf(InterruptedException.class);
                return Thread.currentThread().isInterrupted();
            });

            assertThat(Futures.get(leader.result())).isFalse();
            assertThat(ran).containsExactly(leader.thread());
        }
    }
}
