package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that outlives its attempt keeps a permit and is counted until it really ends. */
@Timeout(120)
class StuckWorkerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().ticker(time).timers(time).maxFlights(2).build();

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();

    private Operation<Integer, Integer> stubborn(OperationSettings.Builder settings) {
        return engine.bind(
                OperationDefinition.of("stubborn", id -> id, id -> {
                    running.incrementAndGet();
                    Futures.awaitStubbornly(release);
                    return id;
                }),
                settings.timeout(TIMEOUT).build());
    }

    private final Operation<Integer, Integer> prompt =
            engine.bind(OperationDefinition.of("prompt", id -> id, id -> id));

    @AfterEach
    void release() {
        release.countDown();
    }

    @Test
    void aWorkerThatOutlivesItsTimeoutKeepsThePermit() throws Exception {
        Operation<Integer, Integer> operation = stubborn(OperationSettings.builder());
        CompletableFuture<Integer> first = operation.callAsync(1);
        CompletableFuture<Integer> second = operation.callAsync(2);
        Await.until(() -> running.get() == 2);

        time.advance(TIMEOUT);

        assertThat(Futures.failureOf(first)).isInstanceOf(AttemptTimeoutException.class);
        assertThat(Futures.failureOf(second)).isInstanceOf(AttemptTimeoutException.class);
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(engine.snapshot().stuck()).isEqualTo(2);
        assertThat(engine.snapshot().operations().get("stubborn").stuck()).isEqualTo(2);
        assertThatThrownBy(() -> prompt.call(1)).isInstanceOf(TooManyFlightsException.class);

        release.countDown();
        Await.until(() -> engine.snapshot().stuck() == 0);
        Await.until(() -> freePermits() == 2);
    }

    @Test
    void aWorkerThatOutlivesItsCancellationKeepsThePermit() throws Exception {
        Operation<Integer, Integer> operation =
                stubborn(OperationSettings.builder().whenAbandoned(WhenAbandoned.CANCEL));
        CompletableFuture<Integer> first = operation.callAsync(1);
        CompletableFuture<Integer> second = operation.callAsync(2);
        Await.until(() -> running.get() == 2);

        first.cancel(true);

        assertThat(engine.snapshot().activeFlights()).isEqualTo(1);
        assertThat(engine.snapshot().stuck()).isEqualTo(1);
        assertThatThrownBy(() -> prompt.call(1)).isInstanceOf(TooManyFlightsException.class);

        release.countDown();
        assertThat(Futures.get(second)).isEqualTo(2);
        Await.until(() -> engine.snapshot().stuck() == 0);
        Await.until(() -> freePermits() == 2);
    }

    @Test
    void aFlightHasOnePermitHoweverManyOfItsWorkersAreStuckAndEachHasOneAfterwards() throws Exception {
        Operation<Integer, Integer> operation =
                stubborn(OperationSettings.builder().retries(1));
        CompletableFuture<Integer> flight = operation.callAsync(1);
        Await.until(() -> running.get() == 1);

        time.advance(TIMEOUT);
        Await.until(() -> running.get() == 2);
        assertThat(engine.snapshot().stuck()).isEqualTo(1);
        assertThat(engine.snapshot().activeFlights()).isEqualTo(1);
        assertThat(prompt.call(1)).isEqualTo(1);

        time.advance(TIMEOUT);
        assertThat(Futures.failureOf(flight)).isInstanceOf(AttemptTimeoutException.class);
        assertThat(engine.snapshot().stuck()).isEqualTo(2);
        assertThatThrownBy(() -> prompt.call(1)).isInstanceOf(TooManyFlightsException.class);

        release.countDown();
        Await.until(() -> engine.snapshot().stuck() == 0);
        Await.until(() -> freePermits() == 2);
    }

    @Test
    void aWorkerThatComesBackBeforeSettlementNeedsNoPermitAfterwards() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(1);
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (attempts.incrementAndGet() == 1) {
                        Futures.awaitStubbornly(release);
                        return -1;
                    }
                    Futures.await(second);
                    return id;
                }),
                OperationSettings.builder().timeout(TIMEOUT).retries(1).build());
        CompletableFuture<Integer> flight = operation.callAsync(1);
        Await.until(() -> attempts.get() == 1);

        time.advance(TIMEOUT);
        Await.until(() -> attempts.get() == 2);
        release.countDown();
        Await.until(() -> engine.snapshot().stuck() == 0);
        second.countDown();

        assertThat(Futures.get(flight)).isEqualTo(1);
        assertThat(freePermits()).isEqualTo(2);
    }

    @Test
    void asynchronousWorkIsNeverStuck() throws Exception {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        Operation<Integer, Integer> operation = engine.bind(
                OperationDefinition.ofAsync("load", id -> id, id -> {
                    running.incrementAndGet();
                    return stage;
                }),
                OperationSettings.builder().timeout(TIMEOUT).build());
        CompletableFuture<Integer> flight = operation.callAsync(1);
        Flight slot = (Flight) operation.registry.find(1);
        Await.until(() -> running.get() == 1 && slot.runner() == null);

        time.advance(TIMEOUT);

        assertThat(Futures.failureOf(flight)).isInstanceOf(AttemptTimeoutException.class);
        Await.until(stage::isCancelled);
        Await.until(() -> engine.snapshot().stuck() == 0);
    }

    private int freePermits() {
        int free = 0;
        while (engine.admission.admit(false)) {
            free++;
        }
        for (int i = 0; i < free; i++) {
            engine.admission.settled(0);
        }
        return free;
    }
}
