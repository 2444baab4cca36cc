package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While a flight goes on, what callers that left it have left behind is no more than what those that stay need. */
@Timeout(120)
class DepartedWaitersMemoryTest {

    /** The newest link of the waiters stays, and so does one departed waiter for each that is attached. */
    private static final int REMNANTS = 3;

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().shutdownTimeout(Duration.ZERO).build();

    private final CountDownLatch gate = new CountDownLatch(1);

    private final Operation<Object, Object> operation = engine.bind(
            OperationDefinition.of("load", id -> "key", id -> {
                Futures.await(gate);
                return "value";
            }),
            OperationSettings.builder().maxWaiters(20_000).build());

    @AfterEach
    void openTheGate() {
        gate.countDown();
    }

    @Test
    void cancelledFuturesAreNotReachable() throws Exception {
        CompletableFuture<Object> stays = operation.callAsync("leader");
        List<WeakReference<?>> departed = new ArrayList<>();
        List<CompletableFuture<Object>> futures = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            futures.add(operation.callAsync("joined"));
        }
        for (CompletableFuture<Object> future : futures) {
            future.cancel(true);
            departed.add(new WeakReference<>(future));
        }
        futures.clear();

        untilCollected(departed);

        assertThat(stays).isNotDone();
        assertThat(engine.snapshot().waiters()).isEqualTo(1);
    }

    @Test
    void futuresThatComeAndGoOneAfterTheOtherAreNotReachable() throws Exception {
        CompletableFuture<Object> stays = operation.callAsync("leader");
        List<WeakReference<?>> departed = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            CompletableFuture<Object> future = operation.callAsync("joined", Duration.ofHours(1));
            future.cancel(true);
            departed.add(new WeakReference<>(future));
        }

        untilCollected(departed);

        assertThat(stays).isNotDone();
    }

    @Test
    void parametersOfJoinersAndThreadsThatTimedOutAreNotReachable() throws Exception {
        CompletableFuture<Object> stays = operation.callAsync("leader");
        List<WeakReference<?>> departed = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Object parameter = new Object();
            Threads.Running<Object> caller = Threads.run(() -> operation.call(parameter, Duration.ofNanos(1)));
            assertThat(Futures.failureOf(caller.result())).isInstanceOf(WaitTimeoutException.class);
            departed.add(new WeakReference<>(parameter));
            departed.add(new WeakReference<>(caller.thread()));
        }

        untilCollected(departed);

        assertThat(stays).isNotDone();
    }

    @Test
    void aFlightThatEverybodyLeftHoldsNoneOfThem() throws Exception {
        List<WeakReference<?>> departed = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<Object> future = operation.callAsync("joined");
            future.cancel(true);
            departed.add(new WeakReference<>(future));
            assertThatThrownBy(() -> operation.call("joined", Duration.ofNanos(1)))
                    .isInstanceOf(WaitTimeoutException.class);
        }

        untilCollected(departed);

        assertThat(engine.snapshot().activeFlights()).isEqualTo(1);
    }

    private static void untilCollected(List<WeakReference<?>> departed) throws Exception {
        Await.until(() -> {
            System.gc();
            return departed.stream()
                            .filter(reference -> reference.get() != null)
                            .count()
                    <= REMNANTS;
        });
    }
}
