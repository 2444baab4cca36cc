package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the work throws reaches every caller, frees the key, and is over with the flight. */
@Timeout(60)
class FailuresTest {

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().maxFlights(1).build();

    private final CountDownLatch gate = new CountDownLatch(1);

    static Stream<Arguments> failures() {
        return Stream.of(RunOn.values())
                .flatMap(runOn -> Stream.of(
                                new IOException("checked secret"),
                                new IllegalStateException("runtime secret"),
                                new AssertionError("error secret"),
                                new StackOverflowError("overflow secret"),
                                new OutOfMemoryError("memory secret"),
                                new Surprise(),
                                new CompletionException(new IOException("wrapped secret")),
                                new CancellationException("cancelled secret"),
                                new Hostile())
                        .map(thrown -> Arguments.of(thrown, runOn)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void everyCallerGetsWhatTheWorkThrewAndTheNextCallRuns(Throwable thrown, RunOn runOn) throws Exception {
        List<Boolean> runs = new ArrayList<>();
        Operation<Integer, Object> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    if (!runs.isEmpty()) {
                        return "next";
                    }
                    runs.add(true);
                    gate.await();
                    throw thrown;
                }),
                OperationSettings.builder().runOn(runOn).build());

        CompletableFuture<Object> leader = Threads.start(() -> operation.call(7));
        Await.waiters(engine, 1);
        CompletableFuture<Object> joined = Threads.start(() -> operation.call(7));
        CompletableFuture<Outcome<Object>> outcome = Threads.start(() -> operation.callForOutcome(7));
        CompletableFuture<Object> future = operation.callAsync(7);
        CompletableFuture<Object> next =
                future.handle((value, failed) -> operation.callAsync(7)).thenCompose(call -> call);
        Await.waiters(engine, 4);
        gate.countDown();

        Throwable ofLeader = Futures.failureOf(leader);
        Throwable ofJoined = Futures.failureOf(joined);
        assertThat(List.of(ofLeader, ofJoined))
                .allSatisfy(failed -> assertThat(failed)
                        .isExactlyInstanceOf(OperationFailedException.class)
                        .hasMessage("Operation 'load' failed; the cause is what its work threw"))
                .allSatisfy(failed -> assertThat(failed.getCause()).isSameAs(thrown));
        assertThat(ofLeader).isNotSameAs(ofJoined);
        assertThat(List.of(ofLeader.getStackTrace()))
                .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(Threads.class.getName()));
        assertThat(asItIs(future)).isSameAs(thrown);
        Outcome<Object> failed = Futures.get(outcome);
        assertThat(failed.isSuccess()).isFalse();
        assertThat(failed.failure()).isSameAs(thrown);
        assertThatThrownBy(failed::value).isExactlyInstanceOf(OperationFailedException.class);
        assertThat(catchThrowable(failed::value).getCause()).isSameAs(thrown);
        assertThat(Futures.get(next)).isEqualTo("next");
        assertThat(operation.call(7)).isEqualTo("next");
        assertThat(thrown.getSuppressed()).isEmpty();
        assertThat(engine.snapshot().activeFlights()).isZero();
        assertThat(engine.snapshot().operations().get("load").failures()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aRetainedFailureIsThrownAnewToEachCaller(Throwable thrown, RunOn runOn) throws Exception {
        Operation<Integer, Object> operation = engine.bind(
                OperationDefinition.of("load", id -> id, id -> {
                    throw thrown;
                }),
                OperationSettings.builder()
                        .runOn(runOn)
                        .cacheErrorsFor(Retention.untilEvicted())
                        .build());

        Throwable first = catchThrowable(() -> operation.call(7));
        Throwable second = catchThrowable(() -> operation.call(7));

        assertThat(second).isExactlyInstanceOf(OperationFailedException.class).isNotSameAs(first);
        assertThat(second.getCause()).isSameAs(thrown);
        assertThat(asItIs(operation.callAsync(7))).isSameAs(thrown);
        assertThat(operation.callForOutcome(7).failure()).isSameAs(thrown);
        assertThat(engine.snapshot().operations().get("load").executions()).isEqualTo(1);
        assertThat(engine.snapshot().operations().get("load").retainedHits()).isEqualTo(3);
    }

    /** What the future failed with, nothing unwrapped. */
    private static Throwable asItIs(CompletableFuture<?> future) throws Exception {
        return Futures.get(future.handle((value, thrown) -> thrown));
    }

    private static final class Surprise extends Throwable {
        private static final long serialVersionUID = 1L;
    }

    private static final class Hostile extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause for you");
        }

        @Override
        public String toString() {
            return "Hostile";
        }
    }
}
