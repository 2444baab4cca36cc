package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exceptions tell how long the thing that failed had lasted. */
@Timeout(60)
class ElapsedTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .ticker(time)
            .timers(time)
            .shutdownTimeout(Duration.ZERO)
            .build();

    private final Operation<Integer, Object> endless =
            engine.bind(OperationDefinition.ofAsync("endless", id -> id, id -> new CompletableFuture<>()));

    ElapsedTest() {
        time.advance(Duration.ofHours(1));
    }

    @Test
    void anAttemptTimeoutTellsTheAgeOfItsFlight() throws Exception {
        CompletableFuture<Object> call = endless.callAsync(7);
        Await.until(() -> time.armed() == 1);
        time.advance(Duration.ofSeconds(30));

        assertThat(Futures.failureOf(call))
                .isInstanceOfSatisfying(
                        AttemptTimeoutException.class,
                        timeout -> assertThat(timeout.getElapsed()).isEqualTo(Duration.ofSeconds(30)));
    }

    @Test
    void aWaitTimeoutTellsTheWaitOfItsCaller() throws Exception {
        CompletableFuture<Object> leader = endless.callAsync(7, Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(2));
        CompletableFuture<Object> joined = endless.callAsync(7, Duration.ofSeconds(4));
        time.advance(Duration.ofSeconds(10));

        assertThat(Futures.failureOf(leader))
                .isInstanceOfSatisfying(
                        WaitTimeoutException.class,
                        timeout -> assertThat(timeout.getElapsed()).isEqualTo(Duration.ofSeconds(5)));
        assertThat(Futures.failureOf(joined))
                .isInstanceOfSatisfying(
                        WaitTimeoutException.class,
                        timeout -> assertThat(timeout.getElapsed()).isEqualTo(Duration.ofSeconds(4)));
    }

    @Test
    void aFailureTellsHowLongItsCallerWaited() {
        Operation<Integer, Object> failing = engine.bind(
                OperationDefinition.of("failing", id -> id, id -> {
                    time.advance(Duration.ofSeconds(3));
                    throw new IllegalStateException();
                }),
                OperationSettings.builder()
                        .timeout(Duration.ZERO)
                        .cacheErrorsFor(Retention.untilEvicted())
                        .build());

        assertThat(elapsed(failing)).isEqualTo(Duration.ofSeconds(3));
        assertThat(elapsed(failing)).isZero();
    }

    private static Duration elapsed(Operation<Integer, Object> failing) {
        return catchThrowableOfType(OperationFailedException.class, () -> failing.call(7))
                .getElapsed();
    }
}
