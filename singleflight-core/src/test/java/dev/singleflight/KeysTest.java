package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any object but null is a key, and null is a result like any other. */
@Timeout(60)
class KeysTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    private final Operation<Object, Object> operation = engine.bind(OperationDefinition.of("load", key -> key, key -> {
        executions.incrementAndGet();
        gate.await();
        return new Object();
    }));

    record Point(int x, int y) {}

    static Stream<List<Object>> equalKeys() {
        return Stream.of(
                List.of(1_000_000, Integer.valueOf(1_000_000)),
                List.of("key", new String("key")),
                List.of(List.of(1, "a"), List.of(1, "a")),
                List.of(new Point(1, 2), new Point(1, 2)),
                List.of(Role.LEADER, Role.LEADER),
                List.of(Void.class, Void.class));
    }

    @ParameterizedTest
    @MethodSource("equalKeys")
    void equalKeysMeet(List<Object> keys) throws Exception {
        CompletableFuture<Object> first = operation.callAsync(keys.get(0));
        CompletableFuture<Object> second = operation.callAsync(keys.get(1));
        gate.countDown();

        assertThat(Futures.get(second)).isSameAs(Futures.get(first));
        assertThat(executions).hasValue(1);
    }

    @Test
    void arraysMeetByIdentityOnly() throws Exception {
        int[] array = {1, 2};
        CompletableFuture<Object> first = operation.callAsync(array);
        CompletableFuture<Object> same = operation.callAsync(array);
        CompletableFuture<Object> alike = operation.callAsync(new int[] {1, 2});
        gate.countDown();

        assertThat(Futures.get(same)).isSameAs(Futures.get(first)).isNotSameAs(Futures.get(alike));
    }

    @Test
    void keysOfOneHashDoNotMeet() throws Exception {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        Operation<String, String> echo = engine.bind(OperationDefinition.of("echo", key -> key, key -> {
            bothRun.await();
            return key;
        }));

        CompletableFuture<String> one = echo.callAsync("Aa");
        CompletableFuture<String> other = echo.callAsync("BB");

        assertThat("Aa").hasSameHashCodeAs("BB");
        assertThat(Futures.get(one)).isEqualTo("Aa");
        assertThat(Futures.get(other)).isEqualTo("BB");
    }

    @Test
    void theFirstCallersParameterRulesTheFlight() throws Exception {
        Operation<String, String> echo = engine.bind(OperationDefinition.of("echo", String::length, text -> {
            gate.await();
            return text;
        }));

        CompletableFuture<String> first = echo.callAsync("one");
        CompletableFuture<String> second = echo.callAsync("two");
        gate.countDown();

        assertThat(Futures.get(first)).isEqualTo("one");
        assertThat(Futures.get(second)).isEqualTo("one");
    }

    @Test
    void aNullParameterIsTheKeyFunctionsBusiness() {
        Operation<String, String> nullable =
                engine.bind(OperationDefinition.of("nullable", String::valueOf, text -> text));

        assertThat(nullable.call(null)).isNull();
    }

    @Test
    void aNullResultIsASuccessThatIsSharedAndRetained() throws Exception {
        Operation<Integer, Object> empty = engine.bind(
                OperationDefinition.of("empty", id -> id, id -> {
                    executions.incrementAndGet();
                    gate.await();
                    return null;
                }),
                OperationSettings.builder().cacheFor(Retention.untilEvicted()).build());

        CompletableFuture<Outcome<Object>> first = Threads.start(() -> empty.callForOutcome(7));
        Await.waiters(engine, 1);
        CompletableFuture<Object> second = empty.callAsync(7);
        gate.countDown();

        assertThat(Futures.get(first).isSuccess()).isTrue();
        assertThat(Futures.get(first).value()).isNull();
        assertThat(Futures.get(second)).isNull();
        assertThat(empty.call(7)).isNull();
        assertThat(Futures.get(empty.callAsync(7))).isNull();
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        empty.send(7, value -> told.complete(value == null));
        assertThat(Futures.get(told)).isTrue();
        assertThat(executions).hasValue(1);
        assertThat(engine.snapshot().operations().get("empty").retainedHits()).isEqualTo(3);
    }

    @Test
    void aNullKeyIsRefusedNamingTheOperation() throws Exception {
        String refusal = "Operation 'load' was given a null key: its key function must return a value";

        for (Runnable call : List.<Runnable>of(
                () -> operation.call(null),
                () -> operation.call(null, java.time.Duration.ofSeconds(1)),
                () -> operation.callForOutcome(null),
                () -> operation.send(null, value -> {}),
                () -> operation.forget(null))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(call::run)
                    .withMessage(refusal);
        }
        assertThat(Futures.failureOf(operation.callAsync(null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(refusal);
        assertThat(engine.snapshot().operations().get("load").rejected()).isEqualTo(5);
        assertThat(engine.snapshot().operations().get("load").calls()).isEqualTo(5);
    }
}
