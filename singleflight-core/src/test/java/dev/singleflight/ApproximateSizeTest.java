package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The default size estimator is roughly right on what it can walk, and ends on whatever it is given. */
class ApproximateSizeTest {

    private final ApproximateSize size = new ApproximateSize();

    record Pair(Object left, Object right) {}

    private static final class Node {
        final byte[] payload = new byte[1_000];
        long number;
        Node next;
    }

    @Test
    void nullAndWhatTheJvmHoldsAnywayCostNothing() {
        assertThat(size.applyAsLong(null)).isZero();
        assertThat(size.applyAsLong(Role.LEADER)).isZero();
        assertThat(size.applyAsLong(String.class)).isZero();
    }

    @Test
    void stringsAndPrimitiveArraysGrowWithTheirLength() {
        assertThat(size.applyAsLong("x".repeat(10_000))).isBetween(10_000L, 10_100L);
        assertThat(size.applyAsLong(new byte[10_000])).isBetween(10_000L, 10_100L);
        assertThat(size.applyAsLong(new long[10_000])).isBetween(80_000L, 80_100L);
        assertThat(size.applyAsLong(new boolean[10_000])).isBetween(10_000L, 10_100L);
        assertThat(size.applyAsLong(new char[10_000])).isBetween(20_000L, 20_100L);
    }

    @Test
    void plainObjectsAndRecordsCountWhatTheyHold() {
        assertThat(size.applyAsLong(new Node())).isBetween(1_000L, 1_100L);
        assertThat(size.applyAsLong(new Pair(new byte[500], "x".repeat(500)))).isBetween(1_000L, 1_150L);
        assertThat(size.applyAsLong(new Object())).isBetween(8L, 16L);
    }

    @Test
    void arraysCollectionsAndMapsCountTheirElements() {
        Object[] array = {new byte[1_000], new byte[1_000]};

        assertThat(size.applyAsLong(array)).isBetween(2_000L, 2_150L);
        assertThat(size.applyAsLong(List.of(array))).isBetween(2_000L, 2_200L);
        assertThat(size.applyAsLong(Map.of("key", array))).isBetween(2_000L, 2_300L);
    }

    @Test
    void whatIsSharedCountsOnce() {
        byte[] shared = new byte[10_000];

        assertThat(size.applyAsLong(new Pair(shared, List.of(shared)))).isBetween(10_000L, 10_200L);
    }

    @Test
    void longCollectionsAreTakenToBeLikeTheirFirstElements() {
        List<byte[]> many =
                IntStream.range(0, 10_000).mapToObj(i -> new byte[100]).toList();

        assertThat(size.applyAsLong(many)).isBetween(1_000_000L, 1_500_000L);
    }

    @Test
    void ringsAndChainsEnd() {
        Node ring = new Node();
        ring.next = ring;
        Node chain = null;
        for (int i = 0; i < 100_000; i++) {
            Node head = new Node();
            head.next = chain;
            chain = head;
        }
        List<Object> self = new ArrayList<>();
        self.add(self);

        assertThat(size.applyAsLong(ring)).isBetween(1_000L, 1_100L);
        assertThat(size.applyAsLong(chain)).isBetween(10_000L, 100_000L);
        assertThat(size.applyAsLong(self)).isBetween(16L, 200L);
        assertThat(size.applyAsLong(Collections.nCopies(1_000_000_000, ring))).isPositive();
    }

    @Test
    void whatMayNotBeLookedIntoCountsAsItsHeader() {
        assertThat(size.applyAsLong(Thread.currentThread())).isBetween(16L, 1_000L);
        assertThat(size.applyAsLong(new Exception("message"))).isPositive();
    }

    @Test
    void retainedBytesAreEstimatedWhereBytesAreBounded() {
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().cacheMaxBytes(1L << 20).build()) {
            Operation<Integer, byte[]> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, byte[]::new),
                    OperationSettings.builder()
                            .cacheFor(Retention.untilEvicted())
                            .build());
            operation.call(1_000);
            operation.call(2_000);

            assertThat(engine.snapshot().retainedBytes()).isBetween(3_000L, 3_100L);
            operation.forgetAll();
            assertThat(engine.snapshot().retainedBytes()).isZero();
        }
    }

    /** Its elements are made when they are asked for, lists of the same kind. */
    private static final class Endless extends AbstractList<Object> {

        @Override
        public Object get(int index) {
            return new Endless();
        }

        @Override
        public int size() {
            return 200;
        }
    }

    @Test
    @Timeout(60)
    void aListThatMakesUpItsElementsComesToAnEnd() {
        assertThat(new ApproximateSize().applyAsLong(new Endless())).isPositive();
    }
}
