package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever an executor does with the attempts that it is given, every caller gets an outcome. */
@Timeout(120)
class UnusualExecutorTest {

    private static final RejectedExecutionException REJECTION = new RejectedExecutionException("full");

    private final AtomicInteger executions = new AtomicInteger();
    private final OperationDefinition<Integer, Integer> definition = OperationDefinition.of("load", id -> id, id -> {
        executions.incrementAndGet();
        return id;
    });

    @Test
    void aRejectionReachesEveryCallerAndTheKeyIsFree() throws Exception {
        AtomicBoolean rejects = new AtomicBoolean(true);
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch handedOver = new CountDownLatch(1);
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .maxFlights(1)
                .executor(task -> {
                    if (rejects.get()) {
                        handedOver.countDown();
                        Futures.awaitStubbornly(gate);
                        throw REJECTION;
                    }
                    new Thread(task).start();
                })
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    definition,
                    OperationSettings.builder()
                            .retries(3)
                            .cacheErrorsFor(Retention.untilEvicted())
                            .build());
            CompletableFuture<Integer> leader = Threads.start(() -> operation.call(1));
            Futures.await(handedOver);
            CompletableFuture<Integer> joined = operation.callAsync(1);
            Threads.Running<Outcome<Integer>> blocked = Callers.parked(engine, () -> operation.callForOutcome(1));

            gate.countDown();

            assertThat(Futures.failureOf(leader))
                    .isInstanceOf(FlightUnavailableException.class)
                    .hasCause(REJECTION);
            assertThat(Futures.failureOf(joined)).isInstanceOf(FlightUnavailableException.class);
            assertThat(Futures.get(blocked.result()).failure()).isInstanceOf(FlightUnavailableException.class);
            assertThat(engine.snapshot().retainedItems()).isZero();
            assertThat(engine.snapshot().operations().get("load").retries()).isZero();
            assertThat(executions).hasValue(0);

            rejects.set(false);
            assertThat(operation.call(1)).isEqualTo(1);
        }
    }

    @Test
    void aRejectedRetryEndsTheFlight() throws Exception {
        AtomicInteger handedOver = new AtomicInteger();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .executor(task -> {
                    if (handedOver.incrementAndGet() > 1) {
                        throw REJECTION;
                    }
                    task.run();
                })
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        throw new IllegalStateException();
                    }),
                    OperationSettings.builder().retries(1).build());

            assertThat(Futures.failureOf(operation.callAsync(1))).isInstanceOf(FlightUnavailableException.class);
            assertThat(engine.snapshot().activeFlights()).isZero();
        }
    }

    @Test
    void aLeaderNeedsNoExecutor() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .executor(task -> {
                    throw REJECTION;
                })
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    definition, OperationSettings.builder().runOn(RunOn.LEADER).build());

            assertThat(operation.call(1)).isEqualTo(1);
        }
    }

    @Test
    void aCallbackRunsInPlaceWhereTheExecutorRejectsIt() throws Exception {
        AtomicBoolean rejects = new AtomicBoolean();
        List<Thread> ran = new CopyOnWriteArrayList<>();
        CompletableFuture<Thread> called = new CompletableFuture<>();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .executor(task -> {
                    if (rejects.getAndSet(true)) {
                        throw REJECTION;
                    }
                    new Thread(task).start();
                })
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
                ran.add(Thread.currentThread());
                return id;
            }));

            operation.send(1, value -> called.complete(Thread.currentThread()));

            assertThat(Futures.get(called)).isSameAs(ran.get(0));
        }
    }

    @Test
    void anExecutorThatRunsInPlaceServesEveryKindOfCall() throws Exception {
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().executor(Runnable::run).build()) {
            Operation<Integer, Integer> operation = engine.bind(definition);
            List<Integer> sent = new ArrayList<>();

            assertThat(operation.call(1)).isEqualTo(1);
            assertThat(operation.call(2, Duration.ofHours(1))).isEqualTo(2);
            assertThat(operation.callForOutcome(3).served()).isEqualTo(1);
            assertThat(operation.callAsync(4)).isCompletedWithValue(4);
            operation.send(5, sent::add);
            assertThat(sent).containsExactly(5);
            assertThat(engine.call("adhoc", "key", () -> operation.call(6) + operation.call(7)))
                    .isEqualTo(13);
            assertThat(executions).hasValue(7);
        }
    }

    @Test
    void anExecutorThatRunsInPlaceFindsCyclesToo() {
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().executor(Runnable::run).build()) {
            assertThatThrownBy(() -> engine.call("a", 1, () -> engine.call("b", 1, () -> engine.call("a", 1, () -> 1))))
                    .hasRootCauseInstanceOf(FlightCycleException.class);
        }
    }

    @Test
    void whatAnExecutorDropsTimesOutAndIsRetried() throws Exception {
        AtomicInteger handedOver = new AtomicInteger();
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .ticker(time)
                .timers(time)
                .executor(task -> {
                    if (handedOver.incrementAndGet() != 2) {
                        return;
                    }
                    task.run();
                })
                .build()) {
            Operation<Integer, Integer> once = engine.bind(
                    definition,
                    OperationSettings.builder().timeout(Duration.ofSeconds(1)).build());
            Operation<Integer, Integer> twice = engine.bind(
                    definition,
                    OperationSettings.builder()
                            .timeout(Duration.ofSeconds(1))
                            .retries(1)
                            .build());

            CompletableFuture<Integer> retried = twice.callAsync(1);
            time.advance(Duration.ofSeconds(1));
            assertThat(Futures.get(retried)).isEqualTo(1);
            CompletableFuture<Integer> dropped = once.callAsync(1);
            Threads.Running<Integer> joined = Callers.parked(engine, () -> once.call(1));
            time.advance(Duration.ofSeconds(1));

            assertThat(Futures.failureOf(dropped)).isInstanceOf(AttemptTimeoutException.class);
            assertThat(Futures.failureOf(joined.result())).isInstanceOf(AttemptTimeoutException.class);
            assertThat(engine.snapshot().activeFlights()).isZero();
            assertThat(engine.snapshot().stuck()).isZero();
        }
    }

    @Test
    void anAttemptThatTheExecutorRunsTooLateDoesNotRunTheWork() throws Exception {
        List<Runnable> queue = new CopyOnWriteArrayList<>();
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .ticker(time)
                .timers(time)
                .executor(queue::add)
                .build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    definition,
                    OperationSettings.builder().timeout(Duration.ofSeconds(1)).build());
            CompletableFuture<Integer> late = operation.callAsync(1);
            time.advance(Duration.ofSeconds(1));
            assertThat(Futures.failureOf(late)).isInstanceOf(AttemptTimeoutException.class);
            CompletableFuture<Integer> next = operation.callAsync(1);

            queue.get(0).run();
            assertThat(executions).hasValue(0);
            assertThat(next).isNotDone();
            queue.get(1).run();
            queue.get(1).run();

            assertThat(Futures.get(next)).isEqualTo(1);
            assertThat(executions).hasValue(1);
        }
    }

    @Test
    void anAttemptThatTheExecutorRunsTwiceAtOnceStillTimesOut() throws Exception {
        List<Runnable> queue = new CopyOnWriteArrayList<>();
        ManualTimers time = new ManualTimers();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().timers(time).executor(queue::add).build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> {
                        begun.countDown();
                        Futures.await(never);
                        return id;
                    }),
                    OperationSettings.builder().timeout(Duration.ofSeconds(1)).build());
            CompletableFuture<Integer> call = operation.callAsync(1);
            Threads.start(Executors.callable(queue.get(0)));
            Futures.await(begun);
            queue.get(0).run();
            time.advance(Duration.ofSeconds(1));

            assertThat(Futures.failureOf(call)).isInstanceOf(AttemptTimeoutException.class);
        }
    }

    @Test
    void aCallbackRunsOnceWhateverTheExecutorDoesWithIt() {
        List<Integer> sent = new ArrayList<>();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .executor(task -> {
                    task.run();
                    task.run();
                    throw REJECTION;
                })
                .build()) {
            engine.bind(definition).send(1, sent::add);

            assertThat(sent).containsExactly(1);
            assertThat(executions).hasValue(1);
        }
    }
}
