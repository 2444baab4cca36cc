package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.singleflight.Events.Event;
import dev.singleflight.FlightListener.AttemptEnded;
import dev.singleflight.FlightListener.CallEnded;
import dev.singleflight.FlightListener.EvictionCause;
import dev.singleflight.FlightListener.FlightSettled;
import dev.singleflight.FlightListener.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener is told what happens, in order, and of keys only where they are exposed. */
@Timeout(60)
class FlightListenerTest {

    private final ManualTimers time = new ManualTimers();
    private final Events events = new Events();
    private SingleFlightEngine engine;

    private SingleFlightEngine engine(boolean exposeKeys) {
        engine = SingleFlightEngine.builder()
                .executor(Runnable::run)
                .ticker(time)
                .timers(time)
                .listener(events)
                .exposeKeys(exposeKeys)
                .maxFlights(1)
                .cacheMaxItems(1)
                .shutdownTimeout(Duration.ZERO)
                .build();
        return engine;
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStoryOfAFlightIsToldInOrder(boolean exposeKeys) throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        Operation<Integer, Object> operation =
                engine(exposeKeys).bind(OperationDefinition.ofAsync("load", id -> id, id -> stage));
        CompletableFuture<Object> leader = operation.callAsync(7);
        time.advance(Duration.ofSeconds(1));
        CompletableFuture<Object> joined = operation.callAsync(7);
        time.advance(Duration.ofSeconds(2));
        stage.complete("value");
        Futures.get(leader);
        Futures.get(joined);

        Object key = exposeKeys ? 7 : null;
        assertThat(events.all.subList(0, 6))
                .containsExactly(
                        new Event("operationAdded", "load", null),
                        new Event("callStarted", "load", key),
                        new Event("flightStarted", "load", key),
                        new Event("callStarted", "load", key),
                        new Event("attemptEnded", "load", new AttemptEnded("load", key, 1, Result.SUCCESS, null)),
                        new Event(
                                "flightSettled",
                                "load",
                                new FlightSettled("load", key, 1, Result.SUCCESS, Duration.ofSeconds(3))));
        assertThat(events.all.subList(6, events.all.size()))
                .extracting(Event::detail)
                .containsExactlyInAnyOrder(
                        new CallEnded("load", key, Role.LEADER, Result.SUCCESS, Duration.ofSeconds(3)),
                        new CallEnded("load", key, Role.JOINED, Result.SUCCESS, Duration.ofSeconds(2)));
    }

    @Test
    void everyWayToEndACallIsTold() throws Exception {
        Operation<Integer, Object> operation = engine(false)
                .bind(
                        OperationDefinition.ofAsync(
                                "load",
                                id -> id,
                                id -> id == 1
                                        ? CompletableFuture.failedFuture(new IllegalStateException())
                                        : new CompletableFuture<>()),
                        OperationSettings.builder()
                                .timeout(Duration.ofSeconds(9))
                                .cacheErrorsFor(Retention.untilEvicted())
                                .build());
        Futures.failureOf(operation.callAsync(1));
        Futures.failureOf(operation.callAsync(1));
        CompletableFuture<Object> attemptTimeout = operation.callAsync(2);
        Futures.failureOf(operation.callAsync(3));
        CompletableFuture<Object> waitTimeout = operation.callAsync(2, Duration.ofSeconds(1));
        operation.callAsync(2).cancel(true);
        Threads.Running<Object> interrupted = Threads.run(() -> operation.call(2));
        Await.waiters(engine, 3);
        interrupted.thread().interrupt();
        Futures.failureOf(interrupted.result());
        time.advance(Duration.ofSeconds(9));
        Futures.failureOf(waitTimeout);
        Futures.failureOf(attemptTimeout);

        assertThat(events.of(CallEnded.class))
                .extracting(CallEnded::role, CallEnded::result)
                .containsExactly(
                        tuple(Role.LEADER, Result.FAILURE),
                        tuple(Role.RETAINED, Result.FAILURE),
                        tuple(null, Result.REJECTED),
                        tuple(Role.JOINED, Result.CANCELLED),
                        tuple(Role.JOINED, Result.INTERRUPTED),
                        tuple(Role.JOINED, Result.WAIT_TIMEOUT),
                        tuple(Role.LEADER, Result.TIMEOUT));
        assertThat(events.of(FlightSettled.class))
                .extracting(FlightSettled::result)
                .containsExactly(Result.FAILURE, Result.TIMEOUT);
        assertThat(events.names().stream().filter("callStarted"::equals)).hasSameSizeAs(events.of(CallEnded.class));
    }

    @Test
    void anAbandonedFlightThatIsCancelledIsTold() {
        Operation<Integer, Object> operation = engine(false)
                .bind(
                        OperationDefinition.ofAsync("load", id -> id, id -> new CompletableFuture<>()),
                        OperationSettings.builder()
                                .whenAbandoned(WhenAbandoned.CANCEL)
                                .build());
        operation.callAsync(7).cancel(true);

        assertThat(events.of(FlightSettled.class))
                .containsExactly(new FlightSettled("load", null, 1, Result.CANCELLED, Duration.ZERO));
    }

    @Test
    void evictionsAndForgottenKeysAreTold() throws Exception {
        Operation<Integer, Integer> operation = engine(false)
                .bind(
                        OperationDefinition.of("load", id -> id, id -> id),
                        OperationSettings.builder()
                                .cacheFor(Retention.of(Duration.ofSeconds(1)))
                                .build());
        operation.call(1);
        operation.call(2);
        Await.until(() -> events.of(EvictionCause.class).equals(List.of(EvictionCause.SIZE)));
        time.advance(Duration.ofSeconds(3));
        assertThat(events.of(EvictionCause.class)).containsExactly(EvictionCause.SIZE, EvictionCause.EXPIRED);
        operation.call(1);
        operation.forget(1);

        assertThat(events.all.get(events.all.size() - 1)).isEqualTo(new Event("forgotten", "load", 1));
        assertThat(events.of(EvictionCause.class)).hasSize(2);
    }
}
