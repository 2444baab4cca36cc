package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that joins in the instant in which the last other one leaves never sees a cancellation. */
@Timeout(120)
class LastDepartureTest {

    private static final int ROUNDS = 5_000;

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().maxFlights(2 * ROUNDS).build();

    /** Work that lasts until its gate opens, and fails when it is cancelled. */
    private final Operation<CountDownLatch, String> operation = engine.bind(
            OperationDefinition.of("load", gate -> "key", gate -> {
                Futures.await(gate);
                return "value";
            }),
            OperationSettings.builder().whenAbandoned(WhenAbandoned.CANCEL).build());

    @Test
    void joiningAFutureWhileAFutureIsCancelled() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture<?> joiner = Threads.start(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch gate = new CountDownLatch(1);
                together.await();
                CompletableFuture<String> joined = operation.callAsync(gate);
                together.await();
                gate.countDown();
                together.await();
                assertThat(Futures.get(joined)).isEqualTo("value");
            }
            return null;
        });
        for (int round = 0; round < ROUNDS && !joiner.isDone(); round++) {
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<String> last = operation.callAsync(gate);
            together.await();
            last.cancel(true);
            together.await();
            gate.countDown();
            together.await();
        }
        Futures.get(joiner);
    }

    @Test
    void joiningABlockingCallWhileAnInterruptedOneLeaves() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        for (int round = 0; round < 500; round++) {
            CountDownLatch gate = new CountDownLatch(1);
            Threads.Running<String> last = Callers.parked(engine, () -> operation.call(gate));
            CompletableFuture<String> joined = Threads.start(() -> {
                together.await();
                return operation.call(gate);
            });

            together.await();
            last.thread().interrupt();

            assertThat(Futures.failureOf(last.result())).isInstanceOf(FlightInterruptedException.class);
            gate.countDown();
            assertThat(Futures.get(joined)).isEqualTo("value");
        }
    }
}
