package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing an engine under load leaves nobody waiting, gives nobody a wrong value and touches no other engine. */
@Timeout(120)
class CloseTest {

    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void aCloseWaitsForWhatRuns() throws Exception {
        SingleFlightEngine engine = SingleFlightEngine.builder()
                .shutdownTimeout(Duration.ofHours(1))
                .build();
        Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
            Futures.await(gate);
            return id;
        }));
        CompletableFuture<Integer> future = operation.callAsync(1);
        Threads.Running<Object> close = Threads.run(() -> {
            engine.close();
            return null;
        });
        Await.until(() -> engine.snapshot().state() == EngineSnapshot.State.CLOSING);
        Callers.untilParked(close.thread());
        assertThat(close.result()).isNotDone();

        gate.countDown();

        Futures.get(close.result());
        assertThat(Futures.get(future)).isEqualTo(1);
    }

    @Test
    void aSecondEngineIsNotTouched() throws Exception {
        OperationDefinition<Integer, Integer> definition = OperationDefinition.of("load", id -> id, id -> {
            if (id == 1) {
                Futures.await(gate);
            }
            return id;
        });
        OperationSettings retaining =
                OperationSettings.builder().cacheFor(Retention.untilEvicted()).build();
        try (SingleFlightEngine second = SingleFlightEngine.builder().build()) {
            SingleFlightEngine first =
                    SingleFlightEngine.builder().shutdownTimeout(Duration.ZERO).build();
            Operation<Integer, Integer> survives = second.bind(definition, retaining);
            survives.call(2);
            CompletableFuture<Integer> running = survives.callAsync(1);
            CompletableFuture<Integer> ended = first.bind(definition, retaining).callAsync(1);

            first.close();

            assertThat(Futures.failureOf(ended)).isInstanceOf(FlightUnavailableException.class);
            assertThat(survives.callForOutcome(2).role()).isEqualTo(Role.RETAINED);
            CompletableFuture<Integer> joined = survives.callAsync(1);
            gate.countDown();
            assertThat(Futures.get(running)).isEqualTo(1);
            assertThat(Futures.get(joined)).isEqualTo(1);
            assertThat(survives.call(3)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void underLoadEveryCallerGetsItsValueOrIsToldThatTheEngineIsGone(RunOn runOn) throws Exception {
        for (int round = 0; round < 100; round++) {
            SingleFlightEngine engine = SingleFlightEngine.builder()
                    .shutdownTimeout(round % 2 == 0 ? Duration.ZERO : Duration.ofSeconds(30))
                    .build();
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> -id),
                    OperationSettings.builder()
                            .runOn(runOn)
                            .cacheFor(round % 3 == 0 ? Retention.untilEvicted() : Retention.none())
                            .build());
            CountDownLatch started = new CountDownLatch(4);
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(Threads.start(() -> {
                    started.countDown();
                    for (int served = 0; ; served++) {
                        int id = ThreadLocalRandom.current().nextInt(10);
                        try {
                            int value = served % 2 == 0 ? operation.call(id) : Futures.get(operation.callAsync(id));
                            assertThat(value).isEqualTo(-id);
                        } catch (FlightUnavailableException closed) {
                            return served;
                        } catch (ExecutionException failed) {
                            assertThat(failed).hasCauseInstanceOf(FlightUnavailableException.class);
                            return served;
                        }
                    }
                }));
            }
            Futures.await(started);

            engine.close();

            for (CompletableFuture<Integer> caller : callers) {
                Futures.get(caller);
            }
            assertThat(engine.snapshot().activeFlights()).isZero();
            assertThat(engine.snapshot().retainedItems()).isZero();
            assertThat(engine.snapshot().waiters()).isZero();
        }
    }

    @Test
    void aFlightAdmittedInTheInstantOfTheCloseIsEndedLikeTheOthers() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        Set<CompletableFuture<Integer>> calls = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Object>> callers = new ArrayList<>();
        int rounds = 200;
        SingleFlightEngine[] engine = new SingleFlightEngine[1];
        AtomicInteger key = new AtomicInteger();
        OperationDefinition<Integer, Integer> neverEnding =
                OperationDefinition.ofAsync("load", id -> id, id -> new CompletableFuture<>());
        for (int caller = 0; caller < 2; caller++) {
            callers.add(Threads.start(() -> {
                for (int round = 0; round < rounds; round++) {
                    together.await(30, TimeUnit.SECONDS);
                    Operation<Integer, Integer> operation = engine[0].bind(
                            neverEnding,
                            OperationSettings.builder().timeout(Duration.ZERO).build());
                    for (int i = 0; i < 200 && engine[0].admission.state() == EngineSnapshot.State.RUNNING; i++) {
                        calls.add(operation.callAsync(key.incrementAndGet()));
                    }
                    together.await(30, TimeUnit.SECONDS);
                }
                return null;
            }));
        }
        for (int round = 0; round < rounds; round++) {
            engine[0] = SingleFlightEngine.builder()
                    .maxFlights(1_000_000)
                    .executor(Runnable::run)
                    .shutdownTimeout(Duration.ZERO)
                    .build();
            together.await(30, TimeUnit.SECONDS);
            engine[0].close();
            together.await(30, TimeUnit.SECONDS);

            for (CompletableFuture<Integer> call : calls) {
                assertThat(Futures.failureOf(call)).isInstanceOf(FlightUnavailableException.class);
            }
            calls.clear();
            assertThat(engine[0].snapshot().activeFlights()).isZero();
        }
        for (CompletableFuture<Object> caller : callers) {
            Futures.get(caller);
        }
    }

    @Test
    void theThreadsOfAnEngineEndAfterItsClose() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        SingleFlightEngine engine = SingleFlightEngine.builder().build();
        Operation<Integer, Thread> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> Thread.currentThread()),
                OperationSettings.builder()
                        .cacheFor(Retention.of(Duration.ofHours(1)))
                        .build());
        for (int id = 0; id < 100; id++) {
            threads.add(operation.call(id));
        }
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.getName().startsWith("singleflight-"))
                .forEach(threads::add);

        engine.close();

        assertThat(threads).anyMatch(thread -> thread.getName().equals("singleflight-timer"));
        assertThat(threads).allMatch(Thread::isDaemon);
        Await.until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void theTimerOfAnEngineThatWasClosedInsideAFlightEndsWithThatFlight() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        SingleFlightEngine engine = SingleFlightEngine.builder().build();
        Set<Thread> timers = engine.call("closing", 1, () -> {
            Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
            now.removeIf(thread -> before.contains(thread) || !thread.getName().equals("singleflight-timer"));
            engine.close();
            return now;
        });

        assertThat(timers).isNotEmpty();
        Await.until(() -> timers.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void anExecutorThatWasGivenIsLeftAlone() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            SingleFlightEngine engine =
                    SingleFlightEngine.builder().executor(executor).build();
            assertThat(engine.<Integer>call("load", 1, () -> 1)).isEqualTo(1);

            engine.close();

            assertThat(Futures.get(executor.submit(() -> 2))).isEqualTo(2);
        } finally {
            executor.shutdown();
        }
    }
}
