package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which ends of an attempt are followed by a retry. */
@Timeout(60)
class RetryConditionsTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().executor(Runnable::run).timers(time).build();

    private final AtomicInteger attempts = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({"FAILURES, 3, 1", "TIMEOUTS, 1, 3", "FAILURES_AND_TIMEOUTS, 3, 3"})
    void failuresAndTimeoutsAreRetriedAsTold(RetryOn retryOn, int attemptsOnFailure, int attemptsOnTimeout)
            throws Exception {
        OperationSettings.Builder settings = OperationSettings.builder().retryOn(retryOn);

        assertThat(attempts(settings, CompletableFuture.failedFuture(new IOException())))
                .isEqualTo(attemptsOnFailure);
        assertThat(attempts(settings, new CompletableFuture<>())).isEqualTo(attemptsOnTimeout);
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.failures()).isEqualTo(attemptsOnFailure);
        assertThat(figures.timeouts()).isEqualTo(attemptsOnTimeout);
        assertThat(figures.retries()).isEqualTo(attemptsOnFailure + attemptsOnTimeout - 2);
    }

    @Test
    void bothAreRetriedUnlessToldOtherwise() throws Exception {
        assertThat(attempts(OperationSettings.builder(), CompletableFuture.failedFuture(new AssertionError())))
                .isEqualTo(3);
        assertThat(attempts(OperationSettings.builder(), new CompletableFuture<>()))
                .isEqualTo(3);
    }

    @Test
    void onlyTheThrowablesIncludedAreRetried() throws Exception {
        OperationSettings.Builder settings =
                OperationSettings.builder().retryFor(IOException.class, IllegalStateException.class);

        assertThat(attemptsAfter(settings, new IOException())).isEqualTo(3);
        assertThat(attemptsAfter(settings, new FileNotFoundException())).isEqualTo(3);
        assertThat(attemptsAfter(settings, new IllegalStateException())).isEqualTo(3);
        assertThat(attemptsAfter(settings, new IllegalArgumentException())).isEqualTo(1);
        assertThat(attemptsAfter(settings, new AssertionError())).isEqualTo(1);
    }

    @Test
    void theThrowablesExcludedAreNeverRetried() throws Exception {
        OperationSettings.Builder settings =
                OperationSettings.builder().retryFor(IOException.class).noRetryFor(FileNotFoundException.class);

        assertThat(attemptsAfter(settings, new IOException())).isEqualTo(3);
        assertThat(attemptsAfter(settings, new FileNotFoundException())).isEqualTo(1);
    }

    @Test
    void anAttemptThatTimedOutCanBeExcluded() throws Exception {
        assertThat(attempts(
                        OperationSettings.builder().noRetryFor(AttemptTimeoutException.class),
                        new CompletableFuture<>()))
                .isEqualTo(1);
    }

    @Test
    void theFailureOfAStageIsMatchedUnwrapped() throws Exception {
        assertThat(attemptsAfter(
                        OperationSettings.builder().retryFor(IOException.class),
                        new CompletionException(new IOException())))
                .isEqualTo(3);
    }

    @Test
    void refusalsAndCyclesInsideTheWorkAreNeverRetriedHoweverDeep() throws Exception {
        Subject inner = new Subject("inner", null);
        for (SingleFlightException refusal : new SingleFlightException[] {
            new FlightCycleException(inner, java.util.List.of("inner", "inner")),
            new TooManyFlightsException(inner, 1),
            new TooManyWaitersException(inner, 1),
            new FlightUnavailableException(inner, "the engine is stopped", Duration.ZERO, null)
        }) {
            assertThat(attemptsAfter(OperationSettings.builder(), refusal)).isEqualTo(1);
            assertThat(attemptsAfter(
                            OperationSettings.builder(),
                            new IllegalStateException(new OperationFailedException(inner, Duration.ZERO, refusal))))
                    .isEqualTo(1);
        }
    }

    @Test
    void otherExceptionsOfTheEngineInsideTheWorkAreFailuresLikeAny() throws Exception {
        Subject inner = new Subject("inner", null);

        assertThat(attemptsAfter(OperationSettings.builder(), new WaitTimeoutException(inner, Duration.ZERO)))
                .isEqualTo(3);
        assertThat(attemptsAfter(
                        OperationSettings.builder().retryOn(RetryOn.FAILURES),
                        new AttemptTimeoutException(inner, 1, Duration.ZERO, Duration.ZERO)))
                .isEqualTo(3);
    }

    @Test
    void causesInARingEndTheSearchForARefusal() throws Exception {
        Exception first = new Exception();
        first.initCause(new Exception(first));

        assertThat(attemptsAfter(OperationSettings.builder(), first)).isEqualTo(3);
    }

    @Test
    void theExecutorsRejectionIsNeverRetried() {
        try (SingleFlightEngine rejecting = SingleFlightEngine.builder()
                .executor(task -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException();
                })
                .build()) {
            Operation<Integer, Object> operation = rejecting.bind(
                    OperationDefinition.of("load", id -> id, id -> id),
                    OperationSettings.builder().retries(2).build());

            assertThat(operation.callForOutcome(7).failure()).isInstanceOf(FlightUnavailableException.class);
            assertThat(attempts).hasValue(1);
        }
    }

    private int attemptsAfter(OperationSettings.Builder settings, Throwable thrown) throws Exception {
        return attempts(settings, CompletableFuture.failedFuture(thrown));
    }

    private int attempts(OperationSettings.Builder settings, CompletionStage<Object> stage) throws Exception {
        attempts.set(0);
        Operation<Integer, Object> operation = engine.bind(
                OperationDefinition.ofAsync("load", id -> id, id -> {
                    attempts.incrementAndGet();
                    return stage.thenApply(value -> value);
                }),
                settings.retries(2)
                        .retryDelay(Duration.ofSeconds(1))
                        .timeout(Duration.ofSeconds(10))
                        .build());
        CompletableFuture<Object> call = operation.callAsync(7);
        time.advance(Duration.ofMinutes(1));
        Futures.failureOf(call);
        return attempts.get();
    }
}
