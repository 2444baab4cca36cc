package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a definition may add to its work: a step of the leader, and values that are not kept. */
@Timeout(60)
class DefinitionHooksTest {

    private static final OperationSettings KEPT =
            OperationSettings.builder().cacheFor(Retention.untilEvicted()).build();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().shutdownTimeout(Duration.ofMinutes(10)).build();

    private final AtomicInteger executions = new AtomicInteger();
    private volatile Thread caller;

    @Test
    void leaderTakesItsStepOnItsOwnThreadBeforeTheFirstAttemptAndJoinersTakeNone() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        List<Thread> led = new ArrayList<>();
        Operation<Integer, Integer> operation =
                engine.bind(OperationDefinition.<Integer, Integer>of("load", id -> id, id -> {
                            gate.await();
                            return led.size();
                        })
                        .whenLeading(id -> led.add(Thread.currentThread())));

        Threads.Running<Integer> leader = Threads.run(() -> operation.call(7));
        Await.until(() -> engine.snapshot().waiters() == 1);
        CompletableFuture<Integer> joiner = Threads.start(() -> operation.call(7));
        Await.until(() -> engine.snapshot().waiters() == 2);
        gate.countDown();

        assertThat(leader.result().get()).isEqualTo(1);
        assertThat(joiner.get()).isEqualTo(1);
        assertThat(led).containsExactly(leader.thread());
    }

    @Test
    void failingStepOfTheLeaderFailsTheFlightAndFreesTheKey() {
        IllegalStateException refused = new IllegalStateException("no");
        for (RunOn runOn : RunOn.values()) {
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.<Integer, Integer>of("load", id -> id, id -> executions.incrementAndGet())
                            .whenLeading(id -> {
                                throw refused;
                            }),
                    OperationSettings.builder().runOn(runOn).retries(3).build());

            assertThatThrownBy(() -> operation.call(7)).hasCause(refused);
            assertThatThrownBy(() -> operation.callAsync(7).join()).hasCause(refused);
        }
        assertThat(executions).hasValue(0);
        assertThat(engine.snapshot().activeFlights()).isZero();
    }

    @Test
    void stepOfTheLeaderThatCallsItsOwnKeyIsRefused() {
        AtomicReference<Operation<Integer, Integer>> own = new AtomicReference<>();
        own.set(engine.bind(OperationDefinition.<Integer, Integer>of("load", id -> id, id -> id)
                .whenLeading(id -> own.get().call(id))));

        assertThatThrownBy(() -> own.get().call(7)).hasCauseInstanceOf(FlightCycleException.class);
        assertThat(engine.snapshot().activeFlights()).isZero();
    }

    @Test
    void stepsOfLeadersThatWaitForEachOtherAreRefused() throws Exception {
        AtomicReference<Operation<Integer, Integer>> own = new AtomicReference<>();
        CyclicBarrier both = new CyclicBarrier(2);
        own.set(engine.bind(OperationDefinition.<Integer, Integer>of("load", id -> id, id -> id)
                .whenLeading(id -> {
                    await(both);
                    own.get().call(1 - id);
                })));
        CompletableFuture<Outcome<Integer>> zero = Threads.start(() -> own.get().callForOutcome(0));
        CompletableFuture<Outcome<Integer>> one = Threads.start(() -> own.get().callForOutcome(1));

        assertThat(List.of(Futures.get(zero), Futures.get(one)))
                .anySatisfy(outcome -> assertThat(outcome.failure()).isInstanceOf(FlightCycleException.class));
        assertThat(engine.snapshot().activeFlights()).isZero();
    }

    @Test
    void stopInTheStepOfALeaderDoesNotWaitForItsFlight() throws Exception {
        Operation<Integer, Integer> operation =
                engine.bind(OperationDefinition.<Integer, Integer>of("load", id -> id, id -> id)
                        .whenLeading(id -> engine.stop()));

        assertThat(Futures.get(Threads.start(() -> operation.call(7)))).isEqualTo(7);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void endOfEachFlightIsToldOnceBeforeItsCallersHaveTheOutcome() {
        List<String> told = new ArrayList<>();
        IllegalStateException failure = new IllegalStateException("odd");
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.<Integer, Integer>of("load", id -> id, id -> {
                            if (id % 2 == 1) {
                                throw failure;
                            }
                            return id;
                        })
                        .whenSettled((id, thrown) -> {
                            told.add(id + " " + (thrown == failure));
                            throw new IllegalStateException("harmless");
                        }),
                KEPT);

        assertThat(operation.call(2)).isEqualTo(2);
        assertThat(operation.call(2)).isEqualTo(2);
        assertThatThrownBy(() -> operation.call(3)).hasCause(failure);
        assertThat(told).containsExactly("2 false", "3 true");
    }

    @Test
    void valueThatIsNotToBeKeptIsHandedToItsCallersOnly() {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.<Integer, Integer>of("load", id -> id, id -> executions.incrementAndGet())
                        .retainUnless((id, value) -> value < 3),
                KEPT);

        assertThat(operation.call(7)).isEqualTo(1);
        assertThat(operation.call(7)).isEqualTo(2);
        assertThat(operation.call(7)).isEqualTo(3);
        assertThat(operation.call(7)).isEqualTo(3);
    }

    @Test
    void testOfAValueThatThrowsKeepsNothingAndHarmsNobody() {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.<Integer, Integer>of("load", id -> id, id -> executions.incrementAndGet())
                        .retainUnless((id, value) -> {
                            throw new StackOverflowError();
                        }),
                KEPT);

        assertThat(operation.call(7)).isEqualTo(1);
        assertThat(operation.call(7)).isEqualTo(2);
    }

    @Test
    void keysAreForgottenByNameInEveryDefinitionAndInAdHocCalls() {
        Operation<Object, Integer> one = engine.bind(definition("load"), KEPT);
        Operation<Object, Integer> two = engine.bind(definition("load"), KEPT);
        Operation<Object, Integer> other = engine.bind(definition("other"), KEPT);
        List.of(one, two, other).forEach(operation -> List.of(7, "7", 8).forEach(operation::call));

        engine.forgetEverywhere("load", 7);
        assertThat(engine.snapshot().operations().get("load").forgotten()).isEqualTo(2);
        engine.forgetWhere("load", key -> key.toString().equals("7"));
        assertThat(engine.snapshot().operations().get("load").forgotten()).isEqualTo(4);
        assertThat(engine.snapshot().operations().get("load").retainedItems()).isEqualTo(2);
        assertThat(engine.snapshot().operations().get("other").retainedItems()).isEqualTo(3);
    }

    @Test
    void keysOfAdHocCallsAreForgottenByName() throws Exception {
        try (SingleFlightEngine keeping =
                SingleFlightEngine.builder().defaults(KEPT).build()) {
            keeping.call("rates", "EUR", executions::incrementAndGet);
            keeping.call("rates", "USD", executions::incrementAndGet);
            keeping.call("other", "EUR", executions::incrementAndGet);

            keeping.forgetEverywhere("rates", "EUR");
            assertThat(keeping.snapshot("rates")).extracting("retainedItems").isEqualTo(1);
            keeping.forgetWhere("rates", "USD"::equals);
            assertThat(keeping.snapshot("rates")).extracting("retainedItems").isEqualTo(0);
            assertThat(keeping.snapshot("other")).extracting("retainedItems").isEqualTo(1);
        }
    }

    @Test
    void figuresOfOneNameAreThoseOfTheWholeSnapshot() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
            gate.await();
            return id;
        }));
        CompletableFuture<Integer> flying = operation.callAsync(7);
        CompletableFuture<Integer> adHoc = Threads.start(() -> engine.call("load", 7, () -> {
            gate.await();
            return 7;
        }));
        engine.bind(definition("other")).call(7);
        Await.until(() -> engine.snapshot().activeFlights() == 2);

        OperationSnapshot figures = engine.snapshot("load");
        assertThat(figures.activeFlights()).isEqualTo(2);
        assertThat(figures.waiters()).isEqualTo(2);
        assertThat(engine.snapshot("unknown")).isNull();
        gate.countDown();
        assertThat(flying.get()).isEqualTo(7);
        assertThat(adHoc.get()).isEqualTo(7);
    }

    @Test
    void ownWorkersArePlatformThreadsWhereVirtualOnesAreNotWanted() {
        try (SingleFlightEngine platform = SingleFlightEngine.builder()
                .virtualThreads(false)
                .shutdownTimeout(Duration.ZERO)
                .build()) {
            Thread worker = platform.call("thread", 1, Thread::currentThread);

            assertThat(worker.toString()).startsWith("Thread[");
        }
    }

    @Test
    void retriesRunOnWorkersToo() {
        caller = Thread.currentThread();
        Operation<Integer, Thread> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    Await.until(() -> engine.snapshot().waiters() == 1 && isParked());
                    if (executions.incrementAndGet() < 5) {
                        throw new IllegalStateException("again");
                    }
                    return Thread.currentThread();
                }),
                OperationSettings.builder().retries(4).build());

        assertThat(operation.call(7)).isNotSameAs(caller);
    }

    private boolean isParked() {
        return caller.getState() == Thread.State.WAITING || caller == Thread.currentThread();
    }

    @Test
    void workersInheritNothingOfTheThreadThatStartsThem() {
        InheritableThreadLocal<String> callers = new InheritableThreadLocal<>();
        callers.set("caller");
        ClassLoader builders = Thread.currentThread().getContextClassLoader();
        for (boolean virtual : new boolean[] {true, false}) {
            try (SingleFlightEngine own =
                    SingleFlightEngine.builder().virtualThreads(virtual).build()) {
                Thread.currentThread().setContextClassLoader(new ClassLoader() {});
                assertThat((String) own.call("inherited", 1, callers::get)).isNull();
                assertThat((ClassLoader) own.call(
                                "classes", 1, () -> Thread.currentThread().getContextClassLoader()))
                        .isSameAs(builders);
            } finally {
                Thread.currentThread().setContextClassLoader(builders);
            }
        }
    }

    private OperationDefinition<Object, Integer> definition(String name) {
        return OperationDefinition.of(name, id -> id, id -> executions.incrementAndGet());
    }
}
