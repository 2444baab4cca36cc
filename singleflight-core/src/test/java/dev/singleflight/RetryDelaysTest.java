package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.FlightListener.AttemptEnded;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pause before a retry is fixed, grows, is capped or varies, as the settings say. */
@Timeout(60)
class RetryDelaysTest {

    private final ManualTimers time = new ManualTimers();
    private final Events events = new Events();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .executor(Runnable::run)
            .timers(time)
            .listener(events)
            .build();

    @Test
    void aDelayIsFixedWithoutAMultiplier() throws Exception {
        assertThat(delays(3, delay("2s"))).containsExactly(seconds(2, 2, 2));
    }

    @Test
    void aDelayGrowsByItsMultiplier() throws Exception {
        assertThat(delays(4, delay("2s").retryMultiplier(1.5)))
                .containsExactly(
                        Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofMillis(4500), Duration.ofMillis(6750));
    }

    @Test
    void aGrowingDelayStopsAtItsCap() throws Exception {
        assertThat(delays(5, delay("1s").retryMultiplier(3).retryMaxDelay(Duration.ofSeconds(10))))
                .containsExactly(seconds(1, 3, 9, 10, 10));
    }

    @Test
    void aZeroCapIsNone() throws Exception {
        assertThat(delays(3, delay("1s").retryMultiplier(10).retryMaxDelay(Duration.ZERO)))
                .containsExactly(seconds(1, 10, 100));
    }

    @Test
    void growthBeyondEveryNumberStaysAtTheCap() throws Exception {
        assertThat(delays(1_100, delay("1s").retryMultiplier(2).retryMaxDelay(Duration.ofSeconds(10))))
                .endsWith(seconds(10, 10, 10));
        assertThat(delays(2, delay("1s").retryMultiplier(1e300)).get(1)).isGreaterThan(Duration.ofDays(365 * 100));
    }

    @Test
    void jitterVariesAroundTheDelayByItsShareOfIt() throws Exception {
        List<Duration> delays = delays(200, delay("10s").retryJitter(0.5));

        assertThat(delays)
                .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15)));
        assertThat(delays).anySatisfy(delay -> assertThat(delay).isLessThan(Duration.ofSeconds(8)));
        assertThat(delays).anySatisfy(delay -> assertThat(delay).isGreaterThan(Duration.ofSeconds(12)));
    }

    @Test
    void fullJitterIsNeverNegativeNorBeyondTheCap() throws Exception {
        assertThat(delays(200, delay("10s").retryJitter(1).retryMaxDelay(Duration.ofSeconds(12))))
                .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ZERO, Duration.ofSeconds(12)));
    }

    @Test
    void jitterOfNoDelayIsNone() throws Exception {
        assertThat(delays(3, OperationSettings.builder().retryJitter(1).retryMultiplier(2)))
                .containsExactly(seconds(0, 0, 0));
    }

    @Test
    void theRetryComesWhenItsDelayIsOverAndNotBefore() throws Exception {
        Operation<Integer, Object> operation = failing(delay("2s").retries(1));
        CompletableFuture<Object> call = operation.callAsync(7);
        time.advance(Duration.ofSeconds(2).minusNanos(1));
        assertThat(call).isNotDone();
        time.advance(Duration.ofNanos(1));

        assertThat(Futures.failureOf(call)).isInstanceOf(IllegalStateException.class);
    }

    private List<Duration> delays(int retries, OperationSettings.Builder settings) throws Exception {
        events.all.clear();
        CompletableFuture<Object> call = failing(settings.retries(retries)).callAsync(7);
        while (!call.isDone()) {
            time.advance(Duration.ofDays(36_500));
        }
        Futures.failureOf(call);
        return events.of(AttemptEnded.class).stream()
                .map(AttemptEnded::retryDelay)
                .filter(Objects::nonNull)
                .toList();
    }

    private Operation<Integer, Object> failing(OperationSettings.Builder settings) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    throw new IllegalStateException();
                }),
                settings.timeout(Duration.ZERO).build());
    }

    private static OperationSettings.Builder delay(String delay) {
        return OperationSettings.builder().retryDelay(Duration.parse("PT" + delay));
    }

    private static Duration[] seconds(int... seconds) {
        return IntStream.of(seconds).mapToObj(Duration::ofSeconds).toArray(Duration[]::new);
    }
}
