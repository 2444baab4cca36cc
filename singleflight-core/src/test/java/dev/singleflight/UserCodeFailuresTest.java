package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** User code around the work that throws is clear to its own caller and harmless to everyone else. */
@Timeout(60)
class UserCodeFailuresTest {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Work<Integer, Object> work = id -> {
        gate.await();
        return new Object();
    };

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void aKeyFunctionThatThrowsIsClearToItsCallerOnly(Class<? extends Throwable> type) throws Exception {
        Throwable thrown = type.getDeclaredConstructor().newInstance();
        Function<Integer, Object> key = id -> id < 0 ? sneak(thrown) : 0;
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<Integer, Object> operation = engine.bind(OperationDefinition.of("load", key, work));
            CompletableFuture<Object> first = operation.callAsync(7);

            assertThatThrownBy(() -> operation.call(-1)).isSameAs(thrown);
            assertThatThrownBy(() -> operation.callForOutcome(-1)).isSameAs(thrown);
            assertThatThrownBy(() -> operation.send(-1, value -> {})).isSameAs(thrown);
            assertThatThrownBy(() -> operation.forget(-1)).isSameAs(thrown);
            assertThat(Futures.failureOf(operation.callAsync(-1))).isSameAs(thrown);

            CompletableFuture<Object> second = operation.callAsync(8);
            gate.countDown();
            assertThat(Futures.get(second)).isSameAs(Futures.get(first));
            assertThat(engine.snapshot().operations().get("load").rejected()).isEqualTo(4);
        }
    }

    @Test
    void aTickerThatThrowsHoldsUpNeitherTimeoutsNorSettlements() throws Exception {
        AtomicBoolean breaks = new AtomicBoolean();
        ManualTimers time = new ManualTimers();
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .timers(time)
                .listener(new Events())
                .ticker(() -> {
                    if (breaks.get()) {
                        throw new IllegalStateException("no time");
                    }
                    return time.nanoTime();
                })
                .build()) {
            Operation<Integer, Object> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, work),
                    OperationSettings.builder()
                            .timeout(Duration.ofSeconds(2))
                            .cacheFor(Retention.untilEvicted())
                            .build());
            CompletableFuture<Object> timesOut = operation.callAsync(7);
            CompletableFuture<Object> leaves = operation.callAsync(7, Duration.ofSeconds(1));
            breaks.set(true);
            CompletableFuture<Object> joins = operation.callAsync(7);
            time.advance(Duration.ofSeconds(2));

            assertThat(Futures.failureOf(leaves)).isInstanceOf(WaitTimeoutException.class);
            assertThat(Futures.failureOf(timesOut)).isInstanceOf(AttemptTimeoutException.class);
            assertThat(Futures.failureOf(joins)).isSameAs(Futures.failureOf(timesOut));

            gate.countDown();
            assertThat(operation.call(8)).isSameAs(operation.call(8));
            operation.forgetAll();
            assertThat(engine.snapshot().retainedItems()).isZero();
            assertThat(engine.snapshot().activeFlights()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void listenersThatThrowHarmNobodyAndTheNextOnesAreStillTold(RunOn runOn) throws Exception {
        Events events = new Events();
        FlightListener throwing = (FlightListener) java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {FlightListener.class}, (proxy, method, arguments) -> {
                    throw method.getName().equals("callEnded")
                            ? new StackOverflowError()
                            : new IllegalStateException(method.getName());
                });
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().listener(throwing).listener(events).build()) {
            Operation<Integer, Object> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, work),
                    OperationSettings.builder().runOn(runOn).build());
            CompletableFuture<Object> first = Threads.start(() -> operation.call(7));
            Await.waiters(engine, 1);
            CompletableFuture<Object> second = operation.callAsync(7);
            gate.countDown();

            assertThat(Futures.get(second)).isSameAs(Futures.get(first));
            assertThat(engine.snapshot().activeFlights()).isZero();
            assertThat(events.names())
                    .contains("operationAdded", "flightStarted", "attemptEnded", "flightSettled", "callEnded");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, 0})
    void aSizeEstimatorThatThrowsOrLiesCostsOneKibibyte(long size) {
        ToLongFunction<Object> sizer = value -> size == 0 ? sneak(new StackOverflowError()) : size;
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .cacheMaxBytes(10_000)
                .resultSizer(sizer)
                .build()) {
            gate.countDown();
            Operation<Integer, Object> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, work),
                    OperationSettings.builder()
                            .cacheFor(Retention.untilEvicted())
                            .build());

            assertThat(operation.call(7)).isSameAs(operation.call(7));
            assertThat(engine.snapshot().retainedBytes()).isEqualTo(1024);
        }
    }

    @Test
    void aSizeBeyondEveryBoundIsNotRetainedAndHarmsNobody() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .cacheMaxBytes(10_000)
                .resultSizer(value -> Long.MAX_VALUE)
                .build()) {
            gate.countDown();
            Operation<Integer, Object> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, work),
                    OperationSettings.builder()
                            .cacheFor(Retention.untilEvicted())
                            .build());

            assertThat(operation.call(7)).isNotSameAs(operation.call(7));
            assertThat(engine.snapshot().retainedBytes()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSendCallbackThatThrowsHarmsNobody(boolean executorRejects) throws Exception {
        AtomicReference<Thread> settling = new AtomicReference<>();
        SingleFlightEngineBuilder builder = SingleFlightEngine.builder();
        if (executorRejects) {
            builder.executor(task -> {
                if (settling.get() != null) {
                    throw new RejectedExecutionException();
                }
                Threads.start(() -> {
                    task.run();
                    return null;
                });
            });
        }
        try (SingleFlightEngine engine = builder.build()) {
            Operation<Integer, Object> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
                gate.await();
                settling.set(Thread.currentThread());
                return new Object();
            }));
            CompletableFuture<Object> told = new CompletableFuture<>();
            Consumer<Object> throwing = value -> sneak(new StackOverflowError());

            operation.send(7, throwing);
            operation.send(7, told::complete);
            operation.send(7, throwing);
            CompletableFuture<Object> future = operation.callAsync(7);
            gate.countDown();

            assertThat(Futures.get(told)).isSameAs(Futures.get(future));
            assertThat(engine.snapshot().activeFlights()).isZero();
        }
    }

    @Test
    void aSendIsToldOfSuccessesOnly() throws Exception {
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<Integer, Object> operation = engine.bind(OperationDefinition.of("load", id -> id, id -> {
                gate.await();
                throw new IllegalStateException();
            }));
            CompletableFuture<Object> told = new CompletableFuture<>();
            operation.send(7, told::complete);
            CompletableFuture<Object> future = operation.callAsync(7);
            gate.countDown();

            Futures.failureOf(future);
            assertThat(told).isNotDone();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> int sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
