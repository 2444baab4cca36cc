package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items and bytes are bounded at once, and what goes beyond a bound goes at once. */
@Timeout(120)
class RetentionBoundsTest {

    private final List<FlightListener.EvictionCause> evictions = new CopyOnWriteArrayList<>();

    private SingleFlightEngineBuilder builder() {
        return SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .runOn(RunOn.LEADER)
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .resultSizer(value -> (Integer) value)
                .listener(new FlightListener() {
                    @Override
                    public void evicted(String operation, EvictionCause cause) {
                        evictions.add(cause);
                    }
                });
    }

    /** Gives its parameter, which is the size of the result as well. */
    private static Operation<Integer, Integer> sized(SingleFlightEngine engine) {
        return engine.bind(OperationDefinition.of("load", size -> size, size -> size));
    }

    @Test
    void aTinyAndALargeOutcomeWithinBothBoundsBothStay() {
        try (SingleFlightEngine engine =
                builder().cacheMaxItems(2).cacheMaxBytes(1_000).build()) {
            Operation<Integer, Integer> operation = sized(engine);
            operation.call(1);
            operation.call(900);

            assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.RETAINED);
            assertThat(operation.callForOutcome(900).role()).isEqualTo(Role.RETAINED);
            assertThat(engine.snapshot().retainedItems()).isEqualTo(2);
            assertThat(engine.snapshot().retainedBytes()).isEqualTo(901);
            assertThat(evictions).isEmpty();
        }
    }

    @Test
    void oneBeyondTheItemsOrTheBytesIsEvicted() {
        try (SingleFlightEngine engine =
                builder().cacheMaxItems(2).cacheMaxBytes(1_000).build()) {
            Operation<Integer, Integer> operation = sized(engine);
            for (int size = 1; size <= 3; size++) {
                operation.call(size);
            }
            assertThat(engine.snapshot().retainedItems()).isEqualTo(2);
            assertThat(evictions).containsExactly(FlightListener.EvictionCause.SIZE);

            operation.call(600);
            operation.call(700);
            assertThat(engine.snapshot().retainedItems()).isLessThanOrEqualTo(2);
            assertThat(engine.snapshot().retainedBytes()).isLessThanOrEqualTo(1_000);
            assertThat(evictions).hasSizeGreaterThanOrEqualTo(3).containsOnly(FlightListener.EvictionCause.SIZE);
        }
    }

    @Test
    void anOutcomeLargerThanAllBytesIsNotKept() {
        try (SingleFlightEngine engine = builder().cacheMaxBytes(1_000).build()) {
            Operation<Integer, Integer> operation = sized(engine);

            assertThat(operation.call(1_001)).isEqualTo(1_001);

            assertThat(engine.snapshot().retainedItems()).isZero();
            assertThat(operation.callForOutcome(1_001).role()).isEqualTo(Role.LEADER);
        }
    }

    @Test
    void outcomesThatWeighNothingAreBoundedByTheirNumber() {
        try (SingleFlightEngine engine = builder()
                .cacheMaxItems(10)
                .cacheMaxBytes(1_000)
                .resultSizer(value -> 0)
                .build()) {
            Operation<Integer, Integer> operation = sized(engine);
            for (int id = 0; id < 1_000; id++) {
                operation.call(id);
                assertThat(engine.snapshot().retainedItems()).isLessThanOrEqualTo(10);
            }
            assertThat(engine.snapshot().retainedItems()).isEqualTo(10);
            assertThat(evictions).hasSize(990);
        }
    }

    @Test
    void zeroItemsRetainNothing() {
        try (SingleFlightEngine engine = builder().cacheMaxItems(0).build()) {
            Operation<Integer, Integer> operation = sized(engine);
            operation.call(1);
            assertThat(operation.callForOutcome(1).role()).isEqualTo(Role.LEADER);
            assertThat(engine.snapshot().retainedItems()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theBoundsHoldUnderLoadUpToTheFlightsThatSettleAtThatInstant(boolean bytesBounded) throws Exception {
        int threads = 4;
        SingleFlightEngineBuilder builder = builder().cacheMaxItems(50);
        if (bytesBounded) {
            builder.cacheMaxBytes(5_000);
        }
        try (SingleFlightEngine engine = builder.build()) {
            Operation<Integer, Integer> operation =
                    engine.bind(OperationDefinition.of("load", id -> id, id -> 50 + id % 100));
            CountDownLatch over = new CountDownLatch(threads);
            List<CompletableFuture<Integer>> load = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * 1_000_000;
                load.add(Threads.start(() -> {
                    for (int id = first; id < first + 5_000; id++) {
                        assertThat(operation.call(id)).isEqualTo(50 + id % 100);
                    }
                    over.countDown();
                    return 0;
                }));
            }
            int mostItems = 0;
            long mostBytes = 0;
            while (over.getCount() > 0 && load.stream().noneMatch(CompletableFuture::isCompletedExceptionally)) {
                mostItems = Math.max(mostItems, engine.retained.items());
                Long bytes = engine.retained.bytes();
                mostBytes = Math.max(mostBytes, bytes == null ? 0 : bytes);
            }
            for (CompletableFuture<Integer> thread : load) {
                Futures.get(thread);
            }

            assertThat(mostItems).isLessThanOrEqualTo(50 + threads);
            assertThat(mostBytes).isLessThanOrEqualTo(5_000 + threads * 149L);
            assertThat(engine.snapshot().retainedItems()).isBetween(20, 50);
            assertThat(engine.snapshot().operations().get("load").retainedItems())
                    .isEqualTo(engine.snapshot().retainedItems());
            int found = 0;
            for (int t = 0; t < threads; t++) {
                for (int id = t * 1_000_000; id < t * 1_000_000 + 5_000; id++) {
                    found += operation.registry.find(id) == null ? 0 : 1;
                }
            }
            assertThat(found).isEqualTo(engine.snapshot().retainedItems());
        }
    }

    @Test
    void anEvictedOutcomeNeverTakesItsSuccessorWithIt() throws Exception {
        try (SingleFlightEngine engine = builder().cacheMaxItems(1).build()) {
            Operation<Integer, Integer> operation = sized(engine);
            List<CompletableFuture<Integer>> load = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                load.add(Threads.start(() -> {
                    for (int round = 0; round < 20_000; round++) {
                        assertThat(operation.call(round % 3)).isEqualTo(round % 3);
                    }
                    return 0;
                }));
            }
            for (CompletableFuture<Integer> thread : load) {
                Futures.get(thread);
            }

            int mapped = 0;
            for (int id = 0; id < 3; id++) {
                mapped += operation.registry.find(id) == null ? 0 : 1;
            }
            assertThat(mapped).isEqualTo(engine.snapshot().retainedItems()).isLessThanOrEqualTo(1);
        }
    }
}
