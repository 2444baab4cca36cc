package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing grows with keys, definitions and flights that are gone. */
@Timeout(120)
class KeysThatAreGoneTest {

    private static final long TOLERANCE_BYTES = 8L << 20;

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private static long usedBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }

    @Test
    void aMillionKeysOneAfterAnotherLeaveTheRegistryEmptyAndTheHeapWhereItWas() {
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> id),
                OperationSettings.builder().runOn(RunOn.LEADER).build());
        for (int id = 0; id < 10_000; id++) {
            operation.call(-id);
        }
        long before = usedBytes();

        for (int id = 0; id < 1_000_000; id++) {
            operation.call(id);
        }

        int[] slots = {0};
        operation.registry.forEach(slot -> slots[0]++);
        assertThat(slots[0]).isZero();
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(usedBytes()).isLessThan(before + TOLERANCE_BYTES);
    }

    @Test
    void keysOnWorkersThatAreRetainedShortlyForgottenOrAdHocLeaveNothing() throws Exception {
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine manual =
                SingleFlightEngine.builder().ticker(time).timers(time).build()) {
            Operation<Integer, byte[]> operation = manual.bind(
                    OperationDefinition.of("load", id -> id, id -> new byte[1_000]),
                    OperationSettings.builder()
                            .cacheFor(Retention.of(Duration.ofSeconds(1)))
                            .build());
            long before = usedBytes();
            for (int id = 0; id < 5_000; id++) {
                operation.call(id);
                if (id % 2 == 0) {
                    operation.forget(id);
                }
                manual.call("name" + id % 10, id, () -> new byte[1_000]);
            }
            time.advance(Duration.ofMinutes(1));

            assertThat(manual.snapshot().retainedItems()).isZero();
            int[] slots = {0};
            operation.registry.forEach(slot -> slots[0]++);
            assertThat(slots[0]).isZero();
            assertThat(usedBytes()).isLessThan(before + TOLERANCE_BYTES);
        }
    }

    @Test
    void aSettledFlightIsNotReachableThoughItsTimeoutWasArmed() throws Exception {
        Operation<Object, Object> operation = engine.bind(
                OperationDefinition.of("load", id -> "key", id -> new Object()),
                OperationSettings.builder().timeout(Duration.ofHours(1)).build());
        Object parameter = new Object();
        WeakReference<Object> param = new WeakReference<>(parameter);
        WeakReference<Object> result = new WeakReference<>(operation.call(parameter));
        parameter = null;

        untilCollected(param);
        untilCollected(result);
        assertThat(operation.call("other")).isNotNull();
    }

    @Test
    void aTimeoutThatNoHandleHasAnyMoreIsDropped() throws Exception {
        OperationDefinition<Integer, Integer> definition = OperationDefinition.of("load", id -> id, id -> id);
        WeakReference<Object> queue = new WeakReference<>(engine.bind(
                        definition,
                        OperationSettings.builder()
                                .timeout(Duration.ofNanos(1_234_567))
                                .build())
                .timeouts);

        untilCollected(queue);
        assertThat(engine.bind(definition).call(1)).isEqualTo(1);
    }

    @Test
    void aDefinitionThatNobodyHoldsIsDropped() throws Exception {
        WeakReference<Object> definition = new WeakReference<>(boundAndCalled());

        untilCollected(definition);

        assertThat(engine.snapshot().operations().get("load").executions()).isEqualTo(1);
    }

    private Object boundAndCalled() {
        Object captured = new Object();
        OperationDefinition<Integer, Integer> definition =
                OperationDefinition.of("load", id -> id, id -> captured.hashCode());
        engine.bind(
                        definition,
                        OperationSettings.builder()
                                .cacheFor(Retention.untilEvicted())
                                .build())
                .call(1);
        return definition;
    }

    @Test
    void aDefinitionWhoseFlightRunsIsKeptUntilItIsOver() throws Exception {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        CompletableFuture<Integer> flight = engine.bind(OperationDefinition.ofAsync("load", id -> id, id -> stage))
                .callAsync(1);
        System.gc();
        assertThat(engine.snapshot().operations().get("load").waiters()).isEqualTo(1);

        stage.complete(1);

        assertThat(Futures.get(flight)).isEqualTo(1);
    }

    private static void untilCollected(WeakReference<?> reference) throws Exception {
        Await.until(() -> {
            System.gc();
            return reference.get() == null;
        });
    }
}
