package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that change or that break leak nothing and harm nobody else. */
@Timeout(60)
class HostileKeysTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .maxFlights(50)
            .ticker(time)
            .timers(time)
            .build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final OperationDefinition<Key, Object> definition = OperationDefinition.of("load", key -> key, key -> {
        gate.await();
        return new Object();
    });
    private final Operation<Key, Object> plain = engine.bind(definition);
    private final Operation<Key, Object> retaining = engine.bind(
            definition,
            OperationSettings.builder()
                    .cacheFor(Retention.of(Duration.ofSeconds(1)))
                    .build());

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyWhoseHashChangesInFlightIsFreedAndNothingOfItIsRetained(boolean retains) throws Exception {
        Key key = new Key(1);
        CompletableFuture<Object> first = (retains ? retaining : plain).callAsync(key);
        key.hash = 2;
        gate.countDown();

        Object value = Futures.get(first);
        assertNothingIsLeft();
        key.hash = 1;
        assertThat(plain.call(key)).isNotSameAs(value);
    }

    @Test
    void aKeyWhoseHashChangesInFlightCanBeForgotten() throws Exception {
        Key key = new Key(1);
        CompletableFuture<Object> first = plain.callAsync(key);
        key.hash = 2;
        plain.forgetAll();
        key.hash = 1;
        CompletableFuture<Object> second = plain.callAsync(key);
        key.hash = 2;
        gate.countDown();

        assertThat(Futures.get(second)).isNotSameAs(Futures.get(first));
        assertThat(engine.snapshot().operations().get("load").forgotten()).isEqualTo(1);
        assertNothingIsLeft();
    }

    @Test
    void aRetainedOutcomeWhoseKeyHasChangedExpires() throws Exception {
        gate.countDown();
        Key key = new Key(1);
        Object value = retaining.call(key);
        key.hash = 2;
        time.advance(Duration.ofSeconds(3));

        assertNothingIsLeft();
        key.hash = 1;
        assertThat(plain.call(key)).isNotSameAs(value);
    }

    @Test
    void aRetainedOutcomeWhoseKeyHasChangedCanBeForgotten() {
        gate.countDown();
        Key key = new Key(1);
        Object value = retaining.call(key);
        key.hash = 2;
        retaining.forgetAll();

        assertNothingIsLeft();
        key.hash = 1;
        assertThat(plain.call(key)).isNotSameAs(value);
    }

    @Test
    void manyKeysThatChangeInOneBucketAreAllFreed() throws Exception {
        Key[] keys = IntStream.range(0, 40).mapToObj(i -> new Key(1)).toArray(Key[]::new);
        CompletableFuture<?>[] calls = new CompletableFuture<?>[keys.length];
        for (int i = 0; i < keys.length; i++) {
            calls[i] = (i % 2 == 0 ? plain : retaining).callAsync(keys[i]);
        }
        for (int i = 0; i < keys.length; i++) {
            keys[i].hash = 100 + i;
        }
        gate.countDown();

        Futures.get(CompletableFuture.allOf(calls));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyWhoseHashBreaksInFlightIsFreed(boolean retains) throws Exception {
        Key key = new Key(1);
        CompletableFuture<Object> first = (retains ? retaining : plain).callAsync(key);
        key.broken = true;
        gate.countDown();

        Futures.get(first);
        assertNothingIsLeft();
    }

    @Test
    void aKeyThatBreaksOnArrivalIsClearToItsCallerAndStartsNothing() throws Exception {
        Key key = new Key(1);
        key.broken = true;

        assertThatIllegalStateException().isThrownBy(() -> plain.call(key)).withMessage("broken key");
        assertThatIllegalStateException().isThrownBy(() -> plain.callForOutcome(key));
        assertThatIllegalStateException().isThrownBy(() -> plain.send(key, value -> {}));
        assertThatIllegalStateException().isThrownBy(() -> plain.forget(key));
        assertThat(Futures.failureOf(plain.callAsync(key))).isInstanceOf(IllegalStateException.class);
        assertNothingIsLeft();
        assertThat(engine.snapshot().operations().get("load").rejected()).isEqualTo(4);
    }

    @Test
    void aKeyWhoseEqualsThrowsHarmsOnlyItsOwnCaller() throws Exception {
        CompletableFuture<Object> healthy = plain.callAsync(new Key(1));
        Key breaking = new Key(1);
        breaking.equalsThrows = true;

        assertThat(Futures.failureOf(plain.callAsync(breaking))).isInstanceOf(IllegalStateException.class);
        CompletableFuture<Object> other = plain.callAsync(new Key(1));
        gate.countDown();
        Futures.get(healthy);
        Futures.get(other);
        assertNothingIsLeft();
    }

    @Test
    void aKeyWhoseEqualsThrowsInFlightIsFreedAmongItsNeighbours() throws Exception {
        CompletableFuture<Object> neighbour = plain.callAsync(new Key(1));
        Key key = new Key(1);
        CompletableFuture<Object> call = retaining.callAsync(key);
        key.equalsThrows = true;
        gate.countDown();

        Futures.get(call);
        Futures.get(neighbour);
        plain.forgetAll();
        assertNothingIsLeft();
    }

    @Test
    void keysOfOneHashThatCannotBeComparedHoldNobodyUp() throws Exception {
        Operation<Incomparable, Object> operation = engine.bind(OperationDefinition.of("load", key -> key, key -> {
            gate.await();
            return key;
        }));
        CompletableFuture<?>[] calls = new CompletableFuture<?>[60];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = operation.callAsync(new Incomparable(i / 2)).exceptionally(Throwable::getMessage);
        }
        gate.countDown();

        Futures.get(CompletableFuture.allOf(calls));
        assertThat(calls).anySatisfy(call -> assertThat(call.join()).isEqualTo("broken key"));
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        EngineSnapshot now = engine.snapshot();
        assertThat(now.activeFlights()).isZero();
        assertThat(now.retainedItems()).isZero();
        assertThat(now.operations().get("load").retainedItems()).isZero();
        plain.registry.forEach(slot -> {
            throw new AssertionError("Left behind: " + slot);
        });
    }

    private record Incomparable(int id) implements Comparable<Incomparable> {

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public int compareTo(Incomparable other) {
            throw new IllegalStateException("broken key");
        }
    }

    /** Equal to itself only. */
    private static final class Key {

        volatile int hash;
        volatile boolean broken;
        volatile boolean equalsThrows;

        Key(int hash) {
            this.hash = hash;
        }

        @Override
        public int hashCode() {
            if (broken) {
                throw new IllegalStateException("broken key");
            }
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (equalsThrows) {
                throw new IllegalStateException("broken key");
            }
            return this == other;
        }
    }
}
