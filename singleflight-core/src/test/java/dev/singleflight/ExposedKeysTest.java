package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys stand in the messages of exceptions only where the engine may expose them. */
@Timeout(60)
class ExposedKeysTest {

    private static final String KEY = "s3cret";

    private final ManualTimers time = new ManualTimers();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noMessageNamesAKeyUnlessKeysAreExposed(boolean exposeKeys) throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        try (SingleFlightEngine engine = engine(exposeKeys)) {
            Operation<String, Object> endless = engine.bind(
                    OperationDefinition.ofAsync("load", key -> key, key -> new CompletableFuture<>()),
                    OperationSettings.builder()
                            .maxWaiters(1)
                            .timeout(Duration.ofSeconds(5))
                            .build());
            Operation<String, Object> failing = engine.bind(OperationDefinition.of("load", key -> key, key -> {
                throw new IllegalStateException();
            }));
            Operation<String, Object> nullStage =
                    engine.bind(OperationDefinition.ofAsync("load", key -> key, key -> null));
            thrown.add(catchThrowable(() -> failing.call(KEY)));
            thrown.add(Futures.failureOf(nullStage.callAsync(KEY)));
            thrown.add(catchThrowable(() -> engine.call("load", KEY, () -> engine.call("load", KEY, Object::new)))
                    .getCause());
            thrown.add(catchThrowable(() -> endless.call(KEY, Duration.ZERO)));
            Thread.currentThread().interrupt();
            thrown.add(catchThrowable(() -> endless.call(KEY)));
            assertThat(Thread.interrupted()).isTrue();
            CompletableFuture<Object> call = endless.callAsync(KEY);
            thrown.add(Futures.failureOf(endless.callAsync(KEY)));
            thrown.add(Futures.failureOf(failing.callAsync(KEY)));
            time.advance(Duration.ofSeconds(5));
            thrown.add(Futures.failureOf(call));
            engine.stop();
            thrown.add(Futures.failureOf(endless.callAsync(KEY)));
        }

        assertThat(thrown)
                .extracting(Object::getClass)
                .containsExactly(
                        OperationFailedException.class,
                        NullPointerException.class,
                        FlightCycleException.class,
                        WaitTimeoutException.class,
                        FlightInterruptedException.class,
                        TooManyWaitersException.class,
                        TooManyFlightsException.class,
                        AttemptTimeoutException.class,
                        FlightUnavailableException.class);
        assertThat(thrown)
                .allSatisfy(e -> assertThat(e).hasMessageStartingWith("Operation 'load'"))
                .allSatisfy(e ->
                        assertThat(e.getMessage().contains("(key " + KEY + ")")).isEqualTo(exposeKeys))
                .allSatisfy(e -> assertThat(e.getMessage().contains(KEY)).isEqualTo(exposeKeys));
    }

    @Test
    void aKeyWithoutTextHarmsNobody() {
        Object key = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException();
            }
        };
        try (SingleFlightEngine engine = engine(true)) {
            assertThat(catchThrowable(() -> engine.call("load", key, () -> {
                        throw new IllegalArgumentException();
                    })))
                    .isInstanceOf(OperationFailedException.class)
                    .hasMessageContaining("(key of class " + key.getClass().getName());
        }
    }

    private SingleFlightEngine engine(boolean exposeKeys) {
        return SingleFlightEngine.builder()
                .exposeKeys(exposeKeys)
                .maxFlights(1)
                .executor(Runnable::run)
                .timers(time)
                .shutdownTimeout(Duration.ZERO)
                .build();
    }

    @Test
    void aSnapshotThatIsPrintedShowsNoKey() {
        try (SingleFlightEngine open =
                SingleFlightEngine.builder().shutdownTimeout(Duration.ZERO).build()) {
            open.bind(OperationDefinition.<String, Integer>ofAsync(
                            "load", key -> key, key -> new CompletableFuture<>()))
                    .callAsync("secret");

            assertThat(open.snapshot().operations().get("load").flights())
                    .singleElement()
                    .extracting(FlightSnapshot::key)
                    .isEqualTo("secret");
            assertThat(open.snapshot().toString()).doesNotContain("secret");
        }
    }

    @Test
    void aCallerThatDoesNotWaitIsToldThatNothingWasStarted() {
        try (SingleFlightEngine open = SingleFlightEngine.builder().build()) {
            assertThatThrownBy(() -> open.bind(OperationDefinition.of("load", key -> key, key -> key))
                            .call("any", Duration.ZERO))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("nothing was started");
        }
    }
}
