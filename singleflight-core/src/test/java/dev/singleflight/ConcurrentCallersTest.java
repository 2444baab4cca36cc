package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Any number of callers of one key get one execution. */
@Timeout(60)
class ConcurrentCallersTest {

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().maxFlights(20_000).build();

    private final AtomicInteger executions = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({"10, WORKER", "100, WORKER", "1000, WORKER", "10000, WORKER", "10, LEADER", "1000, LEADER"})
    void callersOfOneKeyShareOneExecution(int callers, RunOn runOn) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Operation<Integer, Object> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    executions.incrementAndGet();
                    gate.await();
                    return new Object();
                }),
                OperationSettings.builder().runOn(runOn).maxWaiters(callers).build());

        List<CompletableFuture<Object>> calls = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            calls.add(Threads.start(() -> operation.call(7)));
        }
        Await.until(() -> engine.snapshot().waiters() == callers);
        gate.countDown();

        Object first = calls.get(0).get();
        assertThat(calls).allSatisfy(call -> assertThat(call.get()).isSameAs(first));
        assertThat(executions).hasValue(1);
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.executions()).isEqualTo(1);
        assertThat(figures.joined()).isEqualTo(callers - 1);
        assertThat(figures.calls()).isEqualTo(callers);
    }

    @Test
    void distinctKeysRunInParallel() throws Exception {
        CyclicBarrier allRunning = new CyclicBarrier(100);
        Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
            executions.incrementAndGet();
            allRunning.await();
            return id;
        }));

        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int id = 0; id < 100; id++) {
            int key = id;
            calls.add(Threads.start(() -> operation.call(key)));
        }

        for (int id = 0; id < 100; id++) {
            assertThat(calls.get(id).get()).isEqualTo(id);
        }
        assertThat(executions).hasValue(100);
    }
}
