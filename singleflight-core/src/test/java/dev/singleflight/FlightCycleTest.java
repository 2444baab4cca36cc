package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The call that would make a flight wait for itself is refused at once, and no other. */
@Timeout(120)
class FlightCycleTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final AtomicInteger refused = new AtomicInteger();

    /** Operations by name that call each other as the test says. */
    private final Map<String, Operation<Integer, String>> operations = new ConcurrentHashMap<>();

    private Operation<Integer, String> operation(
            SingleFlightEngine engine, String name, RunOn runOn, Work<Integer, String> work) {
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of(name, id -> id, id -> {
                    try {
                        return name + work.run(id);
                    } catch (FlightCycleException cycle) {
                        refused.incrementAndGet();
                        throw cycle;
                    }
                }),
                OperationSettings.builder().runOn(runOn).retries(3).build());
        operations.put(name, operation);
        return operation;
    }

    private static FlightCycleException cycleIn(Throwable thrown) {
        for (Throwable cause = thrown; ; cause = cause.getCause()) {
            assertThat(cause).isNotNull();
            if (cause instanceof FlightCycleException cycle) {
                return cycle;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void aFlightThatWaitsForItselfIsRefusedAndNotRetried(RunOn runOn) throws Exception {
        Operation<Integer, String> a =
                operation(engine, "a", runOn, id -> operations.get("a").call(id));

        Outcome<String> outcome = Futures.get(Threads.start(() -> a.callForOutcome(1)));

        assertThat(outcome.attempts()).isEqualTo(1);
        assertThat(outcome.failure()).isInstanceOfSatisfying(FlightCycleException.class, cycle -> {
            assertThat(cycle).hasMessageContaining("a -> a");
            assertThat(cycle.getOperation()).isEqualTo("a");
        });
        assertThat(engine.snapshot().operations().get("a").rejected()).isEqualTo(1);
        assertThat(engine.snapshot().operations().get("a").waiters()).isZero();
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void aFlightThatWaitsForItselfThroughAnotherIsRefusedThere(RunOn runOn) throws Exception {
        Operation<Integer, String> a =
                operation(engine, "a", runOn, id -> operations.get("b").call(id));
        operation(engine, "b", runOn, id -> operations.get("a").call(id));

        Outcome<String> outcome = Futures.get(Threads.start(() -> a.callForOutcome(1)));

        assertThat(cycleIn(outcome.failure())).hasMessageContaining("a -> b -> a");
        assertThat(refused).hasValue(1);
        assertThat(outcome.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"WORKER WORKER WORKER", "LEADER LEADER LEADER", "LEADER WORKER LEADER", "WORKER LEADER WORKER"})
    void aCycleOfThreeIsRefusedWhereverItsWorkRuns(String runOn) throws Exception {
        String[] kinds = runOn.split(" ");
        Operation<Integer, String> a = operation(
                engine, "a", RunOn.valueOf(kinds[0]), id -> operations.get("b").call(id));
        operation(
                engine, "b", RunOn.valueOf(kinds[1]), id -> operations.get("c").call(id));
        operation(
                engine, "c", RunOn.valueOf(kinds[2]), id -> operations.get("a").call(id));

        Outcome<String> outcome = Futures.get(Threads.start(() -> a.callForOutcome(1)));

        assertThat(cycleIn(outcome.failure())).hasMessageContaining(": a -> b -> c -> a;");
        assertThat(refused).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void ofFlightsThatJoinEachOtherTheOneThatClosesTheCycleIsRefused(RunOn runOn) throws Exception {
        int flights = 4;
        List<CountDownLatch> gates = new ArrayList<>();
        List<Threads.Running<String>> calls = new ArrayList<>();
        for (int i = 0; i < flights; i++) {
            CountDownLatch gate = new CountDownLatch(1);
            gates.add(gate);
            String next = "op" + (i + 1) % flights;
            boolean last = i == flights - 1;
            Operation<Integer, String> operation = operation(engine, "op" + i, runOn, id -> {
                Futures.await(gate);
                try {
                    return operations.get(next).call(id);
                } catch (FlightCycleException cycle) {
                    refused.incrementAndGet();
                    return last ? "!" + cycle.getMessage() : "not this one";
                }
            });
            calls.add(Callers.parked(engine, () -> operation.call(1)));
        }

        for (int i = 0; i < flights; i++) {
            assertThat(refused).hasValue(0);
            int waiters = flights + i + 1;
            gates.get(i).countDown();
            if (i < flights - 1) {
                Await.until(() -> engine.snapshot().waiters() == waiters);
            }
        }

        assertThat(Futures.get(calls.get(0).result()))
                .startsWith("op0op1op2op3!")
                .contains(": op0 -> op1 -> op2 -> op3 -> op0;");
        for (Threads.Running<String> call : calls) {
            assertThat(Futures.get(call.result())).contains("op3!");
        }
        assertThat(refused).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void flightsThatJoinEachOtherInTheSameInstantAllComeToTheirEnd(RunOn runOn) throws Exception {
        int flights = 3;
        for (int round = 0; round < 300; round++) {
            CountDownLatch allRun = new CountDownLatch(flights);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            refused.set(0);
            for (int i = 0; i < flights; i++) {
                String next = "op" + (i + 1) % flights;
                operation(engine, "op" + i, runOn, id -> {
                    allRun.countDown();
                    Futures.await(allRun);
                    try {
                        return operations.get(next).call(id);
                    } catch (FlightCycleException cycle) {
                        refused.incrementAndGet();
                        return "!";
                    }
                });
            }
            operations.forEach((name, operation) -> calls.add(Threads.start(() -> operation.call(1))));

            for (CompletableFuture<String> call : calls) {
                assertThat(Futures.get(call)).endsWith("!");
            }
            assertThat(refused).hasPositiveValue();
        }
    }

    @Test
    void aCycleThroughTwoEnginesIsRefused() throws Exception {
        try (SingleFlightEngine other = SingleFlightEngine.builder().build()) {
            Operation<Integer, String> a = operation(
                    engine, "a", RunOn.WORKER, id -> operations.get("b").call(id));
            operation(other, "b", RunOn.WORKER, id -> operations.get("a").call(id));

            Outcome<String> outcome = Futures.get(Threads.start(() -> a.callForOutcome(1)));

            assertThat(cycleIn(outcome.failure())).hasMessageContaining("a -> b -> a");
        }
    }

    @Test
    void aCycleOnOneThreadThroughAnAdHocCallIsRefused() throws Exception {
        CompletableFuture<String> result = Threads.start(() -> engine.call(
                "adhoc", "key", () -> engine.call("adhoc", "other", () -> engine.call("adhoc", "key", () -> "never"))));

        assertThat(cycleIn(Futures.failureOf(result))).hasMessageContaining("adhoc");
    }

    @Test
    void aSendToOneselfIsNoCycle() throws Exception {
        CompletableFuture<String> sent = new CompletableFuture<>();
        Operation<Integer, String> a = operation(engine, "a", RunOn.WORKER, id -> {
            operations.get("a").send(id, sent::complete);
            return "value";
        });

        assertThat(Futures.get(a.callAsync(1))).isEqualTo("avalue");
        assertThat(Futures.get(sent)).isEqualTo("avalue");
        assertThat(engine.snapshot().operations().get("a").executions()).isEqualTo(1);
    }

    @Test
    void anotherKeyOfTheSameOperationIsNoCycle() throws Exception {
        Operation<Integer, String> a = operation(
                engine,
                "a",
                RunOn.WORKER,
                id -> id == 0 ? "" : operations.get("a").call(id - 1));

        assertThat(Futures.get(a.callAsync(3))).isEqualTo("aaaa");
    }

    @Test
    void aFlightThatWaitedBeforeIsNoCycleAfterwards() throws Exception {
        Operation<Integer, String> inner = operation(engine, "inner", RunOn.WORKER, id -> "");
        Operation<Integer, String> outer =
                operation(engine, "outer", RunOn.WORKER, id -> inner.call(1) + inner.call(1) + inner.call(2));

        assertThat(Futures.get(outer.callAsync(1))).isEqualTo("outerinnerinnerinner");
        assertThat(refused).hasValue(0);
    }

    @Test
    void aRetainedOutcomeOfOneselfIsNoCycle() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Operation<Integer, String> retaining = engine.bind(
                OperationDefinition.of("a", id -> id, id -> "value" + runs.incrementAndGet()),
                OperationSettings.builder().cacheFor(Retention.untilEvicted()).build());
        retaining.call(1);

        CompletableFuture<String> inside = Threads.start(() -> engine.call("outer", 1, () -> retaining.call(1)));

        assertThat(Futures.get(inside)).isEqualTo("value1");
    }

    @Test
    void theRefusedCallMayBeCaughtAndTheFlightGoesOn() throws Exception {
        Operation<Integer, String> a = operation(engine, "a", RunOn.WORKER, id -> {
            try {
                return operations.get("a").call(id);
            } catch (FlightCycleException cycle) {
                return "caught";
            }
        });
        assertThat(Futures.get(a.callAsync(1))).isEqualTo("acaught");
    }
}
