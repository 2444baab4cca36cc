package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.FlightListener.CallEnded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To forget a key lets those who wait have their outcome and lets the next caller start afresh. */
@Timeout(60)
class ForgetTest {

    private final Events events = new Events();

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().listener(events).build();

    private final List<CompletableFuture<Object>> stages = Collections.synchronizedList(new ArrayList<>());
    private final OperationDefinition<Integer, Object> definition =
            OperationDefinition.ofAsync("load", id -> id, id -> {
                CompletableFuture<Object> stage = new CompletableFuture<>();
                stages.add(stage);
                return stage;
            });
    private final Operation<Integer, Object> operation = engine.bind(definition);
    private final Operation<Integer, Object> retaining = engine.bind(
            definition,
            OperationSettings.builder()
                    .cacheFor(Retention.untilEvicted())
                    .cacheErrorsFor(Retention.untilEvicted())
                    .build());

    @Test
    void theNextCallerStartsAfreshAndTheThirdJoinsTheSecondFlight() throws Exception {
        CompletableFuture<Object> first = operation.callAsync(7);
        started(1);
        operation.forget(7);
        CompletableFuture<Object> second = operation.callAsync(7);
        started(2);
        CompletableFuture<Object> third = operation.callAsync(7);

        assertThat(engine.snapshot().operations().get("load").activeFlights()).isEqualTo(2);
        stages.get(0).complete("old");
        stages.get(1).complete("new");

        assertThat(Futures.get(first)).isEqualTo("old");
        assertThat(Futures.get(second)).isEqualTo("new");
        assertThat(Futures.get(third)).isEqualTo("new");
        assertThat(stages).hasSize(2);
        assertThat(engine.snapshot().activeFlights()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndOfTheOldFlightNeitherRemovesTheSecondNorRetainsItsOutcome(boolean succeeds) throws Exception {
        CompletableFuture<Object> first = retaining.callAsync(7);
        started(1);
        retaining.forget(7);
        CompletableFuture<Object> second = retaining.callAsync(7);
        started(2);
        if (succeeds) {
            stages.get(0).complete("stale");
        } else {
            stages.get(0).completeExceptionally(new IllegalStateException());
        }
        first.handle((value, failed) -> null).join();
        assertThat(engine.snapshot().retainedItems()).isZero();
        CompletableFuture<Object> third = retaining.callAsync(7);
        assertThat(third).isNotDone();
        stages.get(1).complete("fresh");

        assertThat(Futures.get(second)).isEqualTo("fresh");
        assertThat(Futures.get(third)).isEqualTo("fresh");
        assertThat(retaining.call(7)).isEqualTo("fresh");
        assertThat(stages).hasSize(2);
        assertThat(engine.snapshot().retainedItems()).isEqualTo(1);
    }

    @Test
    void aForgottenFlightWithoutSuccessorRetainsNothing() throws Exception {
        CompletableFuture<Object> first = retaining.callAsync(7);
        started(1);
        retaining.forget(7);
        stages.get(0).complete("stale");
        assertThat(Futures.get(first)).isEqualTo("stale");

        assertThat(engine.snapshot().retainedItems()).isZero();
        CompletableFuture<Object> next = retaining.callAsync(7);
        started(2);
        stages.get(1).complete("fresh");
        assertThat(Futures.get(next)).isEqualTo("fresh");
    }

    @Test
    void theOldFlightDoesNotReplaceWhatTheSecondHasRetained() throws Exception {
        CompletableFuture<Object> first = retaining.callAsync(7);
        started(1);
        retaining.forget(7);
        CompletableFuture<Object> second = retaining.callAsync(7);
        started(2);
        stages.get(1).complete("fresh");
        Futures.get(second);
        stages.get(0).complete("stale");

        assertThat(Futures.get(first)).isEqualTo("stale");
        assertThat(retaining.call(7)).isEqualTo("fresh");
        assertThat(engine.snapshot().retainedItems()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void retainedOutcomesGo(boolean succeeds) throws Exception {
        CompletableFuture<Object> first = retaining.callAsync(7);
        started(1);
        if (succeeds) {
            stages.get(0).complete("old");
        } else {
            stages.get(0).completeExceptionally(new IllegalStateException());
        }
        first.handle((value, failed) -> null).join();
        assertThat(engine.snapshot().retainedItems()).isEqualTo(1);
        operation.forget(7);

        assertThat(engine.snapshot().retainedItems()).isZero();
        CompletableFuture<Object> next = retaining.callAsync(7);
        started(2);
        stages.get(1).complete("fresh");
        assertThat(Futures.get(next)).isEqualTo("fresh");
    }

    @Test
    void anUnknownKeyIsNobodysBusiness() throws Exception {
        CompletableFuture<Object> call = operation.callAsync(7);
        started(1);
        operation.forget(8);
        engine.bind(OperationDefinition.of("load", id -> id, id -> id)).forget(7);
        engine.forget("load", 7);
        CompletableFuture<Object> joined = operation.callAsync(7);
        stages.get(0).complete("shared");

        assertThat(Futures.get(joined)).isSameAs(Futures.get(call));
        assertThat(stages).hasSize(1);
        assertThat(engine.snapshot().operations().get("load").forgotten()).isZero();
        assertThat(events.names()).doesNotContain("forgotten");
    }

    @Test
    void forgettingAnOperationLeavesTheOthers() throws Exception {
        Operation<Integer, Object> other = engine.bind(
                OperationDefinition.of("other", id -> id, id -> new Object()),
                OperationSettings.builder().cacheFor(Retention.untilEvicted()).build());
        Object ofOther = other.call(7);
        CompletableFuture<Object> running = retaining.callAsync(1);
        started(1);
        CompletableFuture<Object> retained = retaining.callAsync(2);
        started(2);
        stages.get(1).complete("two");
        Futures.get(retained);
        operation.forgetAll();

        assertThat(other.call(7)).isSameAs(ofOther);
        assertThat(engine.snapshot().operations().get("load").retainedItems()).isZero();
        assertThat(engine.snapshot().operations().get("load").forgotten()).isEqualTo(2);
        CompletableFuture<Object> afresh = retaining.callAsync(1);
        started(3);
        stages.forEach(stage -> stage.complete(stage));
        assertThat(Futures.get(afresh)).isNotSameAs(Futures.get(running));
    }

    @Test
    void forgettingEverythingReachesEveryOperationAndAdHocKeys() throws Exception {
        CompletableFuture<Object> load = operation.callAsync(7);
        CompletableFuture<Object> other = engine.bind(OperationDefinition.ofAsync("other", id -> id, id -> load))
                .callAsync(7);
        CompletableFuture<Object> adHoc = Threads.start(() -> engine.call("adHoc", 7, load::get));
        Await.waiters(engine, 3);
        engine.forgetAll();
        CompletableFuture<Object> adHocAgain = Threads.start(() -> engine.call("adHoc", 7, Object::new));

        Futures.get(adHocAgain);
        started(1);
        stages.get(0).complete("all");
        assertThat(List.of(Futures.get(load), Futures.get(other), Futures.get(adHoc)))
                .containsOnly("all");
        assertThat(engine.snapshot().operations().values())
                .allSatisfy(figures -> assertThat(figures.forgotten()).isEqualTo(1));
    }

    @Test
    void eachForgottenKeyIsCountedOnce() throws Exception {
        CompletableFuture<Object> first = operation.callAsync(7);
        started(1);
        operation.forget(7);
        operation.forget(7);
        operation.forgetAll();
        stages.get(0).complete("old");
        Futures.get(first);
        operation.forget(7);

        assertThat(engine.snapshot().operations().get("load").forgotten()).isEqualTo(1);
        assertThat(events.all.stream().filter(event -> event.name().equals("forgotten")))
                .containsExactly(new Events.Event("forgotten", "load", null));
        assertThat(events.of(CallEnded.class)).hasSize(1);
    }

    @Test
    void aFlightThatSettlesWhileItsKeyIsLookedAtIsForgottenAll() throws Exception {
        CompletableFuture<Object> first = retaining.callAsync(7);
        started(1);
        engine.forgetWhere("load", key -> {
            stages.get(0).complete("old"); // it is retained from here on
            return key.equals(7);
        });

        assertThat(Futures.get(first)).isEqualTo("old");
        assertThat(engine.snapshot().retainedItems()).isZero();
        assertThat(engine.snapshot().operations().get("load").forgotten()).isEqualTo(1);
        CompletableFuture<Object> second = retaining.callAsync(7);
        started(2);
        stages.get(1).complete("new");
        assertThat(Futures.get(second)).isEqualTo("new");
    }

    private void started(int flights) throws Exception {
        Await.until(() -> stages.size() == flights);
    }
}
