package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call made while the failure of a flight is told starts a new flight and never meets the dead one. */
@Timeout(60)
class CallsAfterFailureTest {

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().maxFlights(1).build();

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();

    private final Operation<Integer, Integer> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
        gate.await();
        int execution = executions.incrementAndGet();
        if (execution == 1) {
            throw new IllegalStateException();
        }
        return execution;
    }));

    @Test
    void aBlockingCallFromExceptionallyStartsANewFlight() throws Exception {
        assertStartsANewFlight(call -> call.exceptionally(failed -> operation.call(7)));
    }

    @Test
    void aBlockingCallFromWhenCompleteStartsANewFlight() throws Exception {
        assertStartsANewFlight(call -> {
            CompletableFuture<Integer> second = new CompletableFuture<>();
            call.whenComplete((value, failed) -> second.complete(operation.call(7)));
            return second;
        });
    }

    @Test
    void aFutureFromExceptionallyComposeStartsANewFlight() throws Exception {
        assertStartsANewFlight(call -> call.exceptionallyCompose(failed -> operation.callAsync(7)));
    }

    @Test
    void aCallFromTheCatchBlockOfACallStartsANewFlight() throws Exception {
        assertStartsANewFlight(call -> Threads.start(() -> {
            try {
                return operation.call(7);
            } catch (OperationFailedException failed) {
                return operation.call(7);
            }
        }));
    }

    @Test
    void aCallFromASuccessStartsANewFlightToo() throws Exception {
        executions.set(1);
        CompletableFuture<Integer> second = operation.callAsync(7).thenApply(value -> operation.call(7));
        gate.countDown();

        assertThat(Futures.get(second)).isEqualTo(3);
    }

    private void assertStartsANewFlight(Function<CompletableFuture<Integer>, CompletableFuture<Integer>> callAgain)
            throws Exception {
        CompletableFuture<Integer> first = operation.callAsync(7);
        CompletableFuture<Integer> second = callAgain.apply(first);
        CompletableFuture<Integer> bystander = operation.callAsync(7);
        gate.countDown();

        assertThat(Futures.get(second)).isGreaterThanOrEqualTo(2);
        assertThat(Futures.failureOf(first)).isInstanceOf(IllegalStateException.class);
        assertThat(Futures.failureOf(bystander)).isInstanceOf(IllegalStateException.class);
    }
}
