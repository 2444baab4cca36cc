package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One daemon thread signals; what a signal sets off runs on a worker and holds up no other signal. */
@Timeout(120)
class TimersTest {

    private static final long SOON = 1_000_000;
    private static final long LATE = 3_600_000_000_000L;

    private final Timers timers = new Timers(task -> new Thread(task, "worker").start());

    @AfterEach
    void shutdown() {
        timers.shutdown();
    }

    @Test
    void anActionRunsOnAWorkerAfterItsDelay() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        long start = timers.nanoTime();

        timers.schedule(() -> ran.complete(Thread.currentThread()), SOON);

        assertThat(Futures.get(ran).getName()).isEqualTo("worker");
        assertThat(timers.nanoTime() - start).isGreaterThanOrEqualTo(SOON);
    }

    @Test
    void theThreadOfTheSignalsIsADaemon() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        timers.signal(() -> ran.complete(Thread.currentThread()), 0);

        assertThat(Futures.get(ran).isDaemon()).isTrue();
        assertThat(Futures.get(ran).getName()).isEqualTo("singleflight-timer");
    }

    @Test
    void anActionThatBlocksOrThrowsHoldsUpNoOther() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(100);
        timers.schedule(() -> Futures.awaitStubbornly(gate), 0);
        timers.signal(
                () -> {
                    throw new IllegalStateException();
                },
                0);
        for (int i = 0; i < 100; i++) {
            timers.schedule(others::countDown, SOON);
        }

        Futures.await(others);
        gate.countDown();
    }

    @Test
    void aCancelledActionDoesNotRun() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        CountDownLatch later = new CountDownLatch(1);
        Future<?> cancelled = timers.schedule(() -> ran.add("cancelled"), 20 * SOON);
        assertThat(cancelled).isNotNull();
        cancelled.cancel(false);
        timers.schedule(later::countDown, 40 * SOON);

        Futures.await(later);

        assertThat(ran).isEmpty();
    }

    @Test
    void whereNoWorkerTakesAnActionItRunsInPlace() throws Exception {
        Timers lonely = new Timers(task -> {
            throw new RejectedExecutionException();
        });
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        lonely.schedule(() -> ran.complete(Thread.currentThread()), 0);

        assertThat(Futures.get(ran).getName()).isEqualTo("singleflight-timer");
        lonely.shutdown();
    }

    @Test
    void afterAShutdownNothingIsScheduledAndTheThreadEnds() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        timers.signal(() -> ran.complete(Thread.currentThread()), 0);
        Thread thread = Futures.get(ran);
        Future<?> late = timers.schedule(() -> {}, LATE);

        timers.shutdown();

        assertThat(timers.schedule(() -> {}, 0)).isNull();
        assertThat(late).isNotNull();
        Await.until(() -> !thread.isAlive());
    }
}
