package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous work that fails, whenever and however, fails for every caller and frees its key and permit. */
@Timeout(60)
class AsyncFailuresTest {

    private final ManualTimers time = new ManualTimers();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().maxFlights(1).timers(time).build();

    private final AtomicReference<AsyncWork<Integer, Object>> work = new AtomicReference<>();
    private final CompletableFuture<Object> stage = new CompletableFuture<>();

    private Operation<Integer, Object> operation(RunOn runOn) {
        return engine.bind(
                OperationDefinition.ofAsync("report", id -> id, id -> work.get().start(id)),
                OperationSettings.builder()
                        .runOn(runOn)
                        .timeout(Duration.ofSeconds(5))
                        .build());
    }

    @ParameterizedTest
    @EnumSource
    void workThatThrowsBeforeItReturnsAStageFails(RunOn runOn) throws Exception {
        Exception thrown = new IOException();
        work.set(id -> {
            throw thrown;
        });

        CompletableFuture<Object> call = Threads.start(() -> operation(runOn).call(7));

        assertThat(Futures.failureOf(call)).isInstanceOf(OperationFailedException.class);
        assertThat(Futures.failureOf(call).getCause()).isSameAs(thrown);
        assertTheNextCallRuns(runOn);
    }

    @ParameterizedTest
    @EnumSource
    void workThatReturnsNullFailsNamingTheOperation(RunOn runOn) throws Exception {
        work.set(id -> null);

        CompletableFuture<Object> call = Threads.start(() -> operation(runOn).call(7));

        assertThat(Futures.failureOf(call).getCause())
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("'report'");
        assertTheNextCallRuns(runOn);
    }

    @ParameterizedTest
    @EnumSource
    void aStageThatFailsLaterFailsForEveryCaller(RunOn runOn) throws Exception {
        Exception thrown = new IOException();
        work.set(id -> stage);
        Operation<Integer, Object> operation = operation(runOn);

        CompletableFuture<Object> leader = Threads.start(() -> operation.call(7));
        Await.waiters(engine, 1);
        CompletableFuture<Object> joined = Threads.start(() -> operation.call(7));
        CompletableFuture<Object> future = operation.callAsync(7);
        Await.waiters(engine, 3);
        stage.completeExceptionally(thrown);

        assertThat(Futures.failureOf(leader).getCause()).isSameAs(thrown);
        assertThat(Futures.failureOf(joined).getCause()).isSameAs(thrown);
        assertThat(Futures.failureOf(future)).isSameAs(thrown);
        assertTheNextCallRuns(runOn);
    }

    @Test
    void oneCompletionExceptionIsUnwrappedAndOneOnly() throws Exception {
        Exception inner = new IOException();
        CompletionException wrapped = new CompletionException(inner);
        work.set(id -> stage.thenApply(value -> value));
        CompletableFuture<Object> once = operation(RunOn.WORKER).callAsync(7);
        stage.completeExceptionally(inner);
        assertThat(Futures.failureOf(once)).isSameAs(inner);

        work.set(id -> CompletableFuture.failedFuture(new CompletionException(wrapped)));
        assertThat(Futures.failureOf(Threads.start(() -> operation(RunOn.WORKER).call(7)))
                        .getCause())
                .isSameAs(wrapped);
    }

    @Test
    void aCancelledStageIsAFailure() throws Exception {
        work.set(id -> stage);
        CompletableFuture<Object> call =
                Threads.start(() -> operation(RunOn.WORKER).call(7));
        Await.waiters(engine, 1);
        stage.cancel(true);

        assertThat(Futures.failureOf(call).getCause()).isInstanceOf(CancellationException.class);
        assertTheNextCallRuns(RunOn.WORKER);
    }

    @ParameterizedTest
    @EnumSource
    void aStageThatNeverCompletesTimesOutAndIsCancelled(RunOn runOn) throws Exception {
        work.set(id -> stage);
        Operation<Integer, Object> operation = operation(runOn);
        CompletableFuture<Object> leader = Threads.start(() -> operation.call(7));
        Await.waiters(engine, 1);
        CompletableFuture<Object> future = operation.callAsync(7);
        Await.until(() -> stage.getNumberOfDependents() == 1);
        time.advance(Duration.ofSeconds(5));

        assertThat(Futures.failureOf(leader)).isInstanceOf(AttemptTimeoutException.class);
        assertThat(Futures.failureOf(future)).isSameAs(Futures.failureOf(leader));
        assertThat(stage).isCancelled();
        assertThat(engine.snapshot().stuck()).isZero();
        assertThat(engine.snapshot().operations().get("report").timeouts()).isEqualTo(1);
        assertTheNextCallRuns(runOn);
    }

    @Test
    void aStageThatRefusesEverythingFails() throws Exception {
        CompletionStage<Object> refusing = new CompletableFuture<>() {
            @Override
            public CompletableFuture<Object> whenComplete(
                    java.util.function.BiConsumer<? super Object, ? super Throwable> action) {
                throw new UnsupportedOperationException("no dependents");
            }
        };
        work.set(id -> refusing);

        assertThat(Futures.failureOf(operation(RunOn.WORKER).callAsync(7))).hasMessage("no dependents");
        assertTheNextCallRuns(RunOn.WORKER);
    }

    private void assertTheNextCallRuns(RunOn runOn) throws Exception {
        work.set(id -> CompletableFuture.completedFuture(List.of(id)));
        assertThat(Futures.get(Threads.start(() -> operation(runOn).call(7)))).isEqualTo(List.of(7));
        assertThat(engine.snapshot().activeFlights()).isZero();
    }
}
