package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where no thread can be had for the timer, calls fail, and their keys and permits are free. */
@Timeout(60)
class MissingTimersTest {

    private static final Duration SHORT = Duration.ofMillis(10);

    private volatile boolean broken = true;

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .maxFlights(1)
            .timers(new Timers(Runnable::run) {
                @Override
                Future<?> signal(Runnable steps, long nanos) {
                    if (broken) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return super.signal(steps, nanos);
                }
            })
            .build();

    private final CountDownLatch gate = new CountDownLatch(1);

    private Operation<Integer, Integer> operation(OperationSettings.Builder settings) {
        return engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (id < 0) {
                        throw new IllegalStateException();
                    }
                    Futures.await(gate);
                    return id;
                }),
                settings.build());
    }

    private static OperationSettings.Builder untimed() {
        return OperationSettings.builder().timeout(Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutThatCannotBeArmedEndsTheFlight(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation =
                operation(OperationSettings.builder().timeout(SHORT).runOn(runOn));

        assertThatThrownBy(() -> operation.call(1)).isNotInstanceOf(TooManyFlightsException.class);
        assertThat(Futures.failureOf(operation.callAsync(1))).isInstanceOf(FlightUnavailableException.class);
        operation.send(1, value -> {});
        assertNothingIsLeft();

        broken = false;
        assertThat(Futures.failureOf(operation.callAsync(1))).isInstanceOf(AttemptTimeoutException.class);
    }

    @Test
    void aDeadlineThatCannotBeArmedEndsTheFlightOfItsOwnCallerOnly() throws Exception {
        Operation<Integer, Integer> operation = operation(untimed());
        assertThat(operation.callAsync(1, SHORT)).isCompletedExceptionally();
        assertNothingIsLeft();

        CompletableFuture<Integer> leader = operation.callAsync(1);
        assertThat(operation.callAsync(1, SHORT)).isCompletedExceptionally();
        assertThat(engine.snapshot().waiters()).isEqualTo(1);
        gate.countDown();
        assertThat(Futures.get(leader)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aRetryThatCannotBeSetEndsTheFlight(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation =
                operation(untimed().runOn(runOn).retries(1).retryDelay(SHORT));

        assertThatThrownBy(() -> operation.call(-1)).isInstanceOf(FlightUnavailableException.class);
        assertThat(Futures.failureOf(operation.callAsync(-1))).isInstanceOf(FlightUnavailableException.class);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void anOutcomeWhoseExpiryCannotBeSetIsHandedOutAndNotKept(RunOn runOn) throws Exception {
        gate.countDown();
        Operation<Integer, Integer> operation = operation(untimed().runOn(runOn).cacheFor(Retention.of(SHORT)));

        assertThat(operation.call(1)).isEqualTo(1);
        assertThat(Futures.get(operation.callAsync(1))).isEqualTo(1);
        assertThat(engine.snapshot().retainedItems()).isZero();
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(engine.snapshot().waiters()).isZero();
    }
}
