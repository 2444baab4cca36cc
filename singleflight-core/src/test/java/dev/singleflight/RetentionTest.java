package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Successes and failures are kept for times of their own, and what is over never comes back. */
@Timeout(120)
class RetentionTest {

    private final ManualTimers time = new ManualTimers();
    private final List<FlightListener.EvictionCause> evictions = new CopyOnWriteArrayList<>();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .ticker(time)
            .timers(time)
            .listener(new FlightListener() {
                @Override
                public void evicted(String operation, EvictionCause cause) {
                    evictions.add(cause);
                }
            })
            .build();

    private final AtomicInteger executions = new AtomicInteger();
    private final AtomicBoolean fails = new AtomicBoolean();
    private final OperationDefinition<Integer, Integer> definition = OperationDefinition.of("load", id -> id, id -> {
        int execution = executions.incrementAndGet();
        if (fails.get()) {
            throw new IllegalStateException("execution " + execution);
        }
        return execution;
    });

    private Operation<Integer, Integer> retaining(Retention successes, Retention errors) {
        return engine.bind(
                definition,
                OperationSettings.builder()
                        .cacheFor(successes)
                        .cacheErrorsFor(errors)
                        .build());
    }

    private static Retention millis(long millis) {
        return Retention.of(Duration.ofMillis(millis));
    }

    @Test
    void aSuccessIsServedUntilItsTimeIsOverAndUseDoesNotProlongIt() {
        Operation<Integer, Integer> operation = retaining(millis(500), Retention.none());
        assertThat(operation.call(1)).isEqualTo(1);

        time.advance(Duration.ofMillis(300));
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        time.advance(Duration.ofMillis(199));
        assertThat(operation.call(1)).isEqualTo(1);
        time.advance(Duration.ofMillis(1));

        assertThat(operation.call(1)).isEqualTo(2);
        assertThat(operation.call(1)).isEqualTo(2);
    }

    @Test
    void errorsAndSuccessesHaveTimesOfTheirOwn() {
        Operation<Integer, Integer> operation = retaining(millis(500), millis(50));
        fails.set(true);
        Throwable first = operation.callForOutcome(1).failure();
        assertThat(operation.callForOutcome(1).failure()).isSameAs(first);
        time.advance(Duration.ofMillis(50));
        assertThat(operation.callForOutcome(1).failure()).hasMessage("execution 2");
        fails.set(false);
        time.advance(Duration.ofMillis(50));

        assertThat(operation.call(1)).isEqualTo(3);
        time.advance(Duration.ofMillis(450));
        assertThat(operation.call(1)).isEqualTo(3);
    }

    @Test
    void whatIsNotRetainedIsStillJoined() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    Futures.await(gate);
                    return executions.incrementAndGet();
                }),
                OperationSettings.builder()
                        .cacheFor(Retention.of(Duration.ZERO))
                        .build());
        CompletableFuture<Integer> leader = operation.callAsync(1);
        CompletableFuture<Integer> joined = operation.callAsync(1);
        gate.countDown();

        assertThat(Futures.get(leader)).isEqualTo(1);
        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(operation.call(1)).isEqualTo(2);
        assertThat(engine.snapshot().retainedItems()).isZero();
    }

    @Test
    void untilEvictedHasNoEnd() {
        Operation<Integer, Integer> operation = retaining(Retention.untilEvicted(), Retention.none());
        operation.call(1);

        time.advance(Duration.ofDays(10_000));

        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        assertThat(evictions).isEmpty();
    }

    @Test
    void everyHandleOfTheDefinitionIsServedAndNoOther() {
        retaining(Retention.untilEvicted(), Retention.none()).call(1);

        assertThat(engine.bind(definition).callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        Operation<Integer, Integer> alike =
                engine.bind(OperationDefinition.of("load", id -> id, id -> executions.incrementAndGet()));
        assertThat(alike.callForOutcome(1).role()).isEqualTo(Role.LEADER);
    }

    @Test
    void expiredOutcomesGoThoughNobodyCalls() {
        Operation<Integer, Integer> operation = retaining(millis(500), Retention.none());
        for (int id = 0; id < 100; id++) {
            operation.call(id);
        }
        assertThat(engine.snapshot().retainedItems()).isEqualTo(100);

        time.advance(Duration.ofSeconds(5));

        assertThat(engine.snapshot().retainedItems()).isZero();
        assertThat(operation.registry.find(1)).isNull();
        assertThat(evictions).hasSize(100).containsOnly(FlightListener.EvictionCause.EXPIRED);
    }

    @Test
    void theExpiryOfAnOldOutcomeDoesNotRemoveItsSuccessor() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (executions.incrementAndGet() == 2) {
                        Futures.await(gate);
                    }
                    return executions.get();
                }),
                OperationSettings.builder().cacheFor(millis(500)).build());
        operation.call(1);
        Slot old = operation.registry.find(1);
        time.advance(Duration.ofMillis(500));
        CompletableFuture<Integer> running = operation.callAsync(1);

        operation.registry.remove(old);
        time.advance(Duration.ofSeconds(5));
        CompletableFuture<Integer> joined = operation.callAsync(1);
        gate.countDown();
        assertThat(Futures.get(running)).isEqualTo(2);
        assertThat(Futures.get(joined)).isEqualTo(2);
        operation.registry.remove(old);

        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
        assertThat(executions).hasValue(2);
    }

    @Test
    void timeoutsAreErrorsToKeepButCancelledAndEndedFlightsAreNot() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    never.await();
                    return id;
                }),
                OperationSettings.builder()
                        .cacheFor(Retention.untilEvicted())
                        .cacheErrorsFor(Retention.untilEvicted())
                        .whenAbandoned(WhenAbandoned.CANCEL)
                        .timeout(Duration.ofSeconds(1))
                        .build());
        operation.callAsync(1).cancel(true);
        assertThat(engine.snapshot().retainedItems()).isZero();

        CompletableFuture<Integer> timedOut = operation.callAsync(2);
        time.advance(Duration.ofSeconds(1));
        assertThat(Futures.failureOf(timedOut)).isInstanceOf(AttemptTimeoutException.class);
        assertThat(operation.callForOutcome(2).role()).isEqualTo(Role.RETAINED);
        assertThat(engine.snapshot().retainedItems()).isEqualTo(1);
    }

    @Test
    void theLateResultOfAStuckWorkerIsNotRetained() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    Futures.awaitStubbornly(release);
                    return id;
                }),
                OperationSettings.builder()
                        .cacheFor(Retention.untilEvicted())
                        .timeout(Duration.ofSeconds(1))
                        .build());
        CompletableFuture<Integer> timedOut = operation.callAsync(1);
        Await.until(() -> executions.get() == 1);
        time.advance(Duration.ofSeconds(1));
        assertThat(Futures.failureOf(timedOut)).isInstanceOf(AttemptTimeoutException.class);

        release.countDown();
        Await.until(() -> engine.snapshot().stuck() == 0);

        assertThat(engine.snapshot().retainedItems()).isZero();
        assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
    }
}
