package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One flight takes so many callers at a time, its leader among them, and no more. */
@Timeout(120)
class WaiterLimitTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final OperationDefinition<Integer, Integer> definition = OperationDefinition.of("load", id -> id, id -> {
        Futures.await(gate);
        return id;
    });

    private Operation<Integer, Integer> limited(int maxWaiters) {
        return engine.bind(
                definition, OperationSettings.builder().maxWaiters(maxWaiters).build());
    }

    @Test
    void theNextCallerIsRefusedAndTheOthersAreNotTouched() throws Exception {
        Operation<Integer, Integer> operation = limited(2);
        CompletableFuture<Integer> leader = operation.callAsync(1);
        CompletableFuture<Integer> joined = operation.callAsync(1);

        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(TooManyWaitersException.class);
        assertThatThrownBy(() -> operation.callForOutcome(1)).isInstanceOf(TooManyWaitersException.class);
        assertThatThrownBy(() -> operation.send(1, value -> {})).isInstanceOf(TooManyWaitersException.class);
        assertThat(Futures.failureOf(operation.callAsync(1))).isInstanceOf(TooManyWaitersException.class);
        CompletableFuture<Integer> otherKey = operation.callAsync(2);
        gate.countDown();

        assertThat(Futures.get(leader)).isEqualTo(1);
        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(Futures.get(otherKey)).isEqualTo(2);
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.rejected()).isEqualTo(4);
        assertThat(figures.calls()).isEqualTo(7);
    }

    @Test
    void theLeaderCounts() throws Exception {
        Operation<Integer, Integer> operation = limited(1);
        CompletableFuture<Integer> leader = operation.callAsync(1);

        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(TooManyWaitersException.class);

        gate.countDown();
        assertThat(Futures.get(leader)).isEqualTo(1);
    }

    @Test
    void aDepartedCallerMakesRoom() throws Exception {
        Operation<Integer, Integer> operation = limited(2);
        CompletableFuture<Integer> leader = operation.callAsync(1);
        Threads.Running<Integer> interrupted = Callers.parked(engine, () -> operation.call(1));
        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(TooManyWaitersException.class);

        interrupted.thread().interrupt();
        assertThat(Futures.failureOf(interrupted.result())).isInstanceOf(FlightInterruptedException.class);
        CompletableFuture<Integer> joined = operation.callAsync(1);
        assertThatThrownBy(() -> operation.call(1)).isInstanceOf(TooManyWaitersException.class);
        leader.cancel(true);
        CompletableFuture<Integer> another = operation.callAsync(1);

        gate.countDown();
        assertThat(Futures.get(joined)).isEqualTo(1);
        assertThat(Futures.get(another)).isEqualTo(1);
    }

    @Test
    void theSettingsOfTheCallerThatStartedTheFlightRule() throws Exception {
        CompletableFuture<Integer> leader = limited(1).callAsync(1);

        assertThatThrownBy(() -> limited(100).call(1)).isInstanceOf(TooManyWaitersException.class);

        gate.countDown();
        assertThat(Futures.get(leader)).isEqualTo(1);
    }

    @Test
    void exactlySoManyOfACrowdAreTakenIn() throws Exception {
        Operation<Integer, Integer> operation = limited(100);
        CompletableFuture<Integer> leader = operation.callAsync(1);
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Boolean>> crowd = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            crowd.add(Threads.start(() -> {
                Futures.await(start);
                try {
                    return operation.call(1) == 1;
                } catch (TooManyWaitersException full) {
                    return false;
                }
            }));
        }

        start.countDown();
        Await.until(() -> crowd.stream().filter(CompletableFuture::isDone).count() == 201);
        assertThat(engine.snapshot().waiters()).isEqualTo(100);
        gate.countDown();

        assertThat(Futures.get(leader)).isEqualTo(1);
        int taken = 0;
        for (CompletableFuture<Boolean> caller : crowd) {
            taken += Futures.get(caller) ? 1 : 0;
        }
        assertThat(taken).isEqualTo(99);
    }
}
