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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers of a hot key and of many others in between get what is theirs, each key running once. */
@Timeout(120)
class MixedKeysTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final Map<Integer, AtomicInteger> executions = new ConcurrentHashMap<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource
    void aHotKeyAmongDistinctOnes(RunOn runOn) throws Exception {
        Operation<Integer, String> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
                    gate.await();
                    return "value " + id;
                }),
                OperationSettings.builder().runOn(runOn).build());
        List<CompletableFuture<String>> hot = new ArrayList<>();
        List<CompletableFuture<String>> cold = new ArrayList<>();
        for (int id = 1; id <= 100; id++) {
            int key = id;
            hot.add(Threads.start(() -> operation.call(0)));
            cold.add(Threads.start(() -> operation.call(key)));
            hot.add(operation.callAsync(0));
            cold.add(operation.callAsync(key));
        }
        Await.waiters(engine, 400);
        gate.countDown();

        for (int i = 0; i < 200; i++) {
            assertThat(Futures.get(hot.get(i))).isEqualTo("value 0");
            assertThat(Futures.get(cold.get(i))).isEqualTo("value " + (i / 2 + 1));
        }
        assertThat(executions).hasSize(101);
        assertThat(executions.values()).allSatisfy(count -> assertThat(count).hasValue(1));
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.executions()).isEqualTo(101);
        assertThat(figures.joined()).isEqualTo(299);
    }
}
