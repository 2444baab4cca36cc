package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners run under no lock of the engine, so they may call it. */
@Timeout(60)
class ListenerCallsTest {

    private final AtomicReference<SingleFlightEngine> engine = new AtomicReference<>();
    private final List<Object> got = Collections.synchronizedList(new ArrayList<>());

    @Test
    void aListenerThatHearsOfANewNameMayCallUnderAnyName() throws Exception {
        try (SingleFlightEngine e = start(new FlightListener() {
            @Override
            public void operationAdded(String operation) {
                if (got.size() < 2) {
                    got.add(engine.get().call(operation, got.size(), () -> operation));
                    got.add(engine.get().call(operation + "'", got.size(), () -> operation));
                }
            }
        })) {
            assertThat(Futures.get(Threads.start(() -> e.call("rates", "EUR", () -> 1))))
                    .isEqualTo(1);
            assertThat(got).contains("rates", "rates'");
        }
    }

    @Test
    void aListenerMayCallTheEngineAtEveryEvent() throws Exception {
        ThreadLocal<Boolean> calling = ThreadLocal.withInitial(() -> false);
        try (SingleFlightEngine e = start(new FlightListener() {
            private void call(String event) {
                if (!calling.get()) {
                    calling.set(true);
                    try {
                        engine.get().call("inner", event, () -> 0);
                        engine.get().snapshot();
                        got.add(event);
                    } finally {
                        calling.set(false);
                    }
                }
            }

            @Override
            public void callStarted(String operation, Object key) {
                call("callStarted");
            }

            @Override
            public void callEnded(CallEnded event) {
                call("callEnded");
            }

            @Override
            public void flightStarted(String operation, Object key) {
                call("flightStarted");
            }

            @Override
            public void attemptEnded(AttemptEnded event) {
                if (event.operation().equals("outer")) {
                    call("attemptEnded");
                }
            }

            @Override
            public void flightSettled(FlightSettled event) {
                if (event.operation().equals("outer")) {
                    call("flightSettled");
                }
            }

            @Override
            public void forgotten(String operation) {
                call("forgotten");
            }
        })) {
            CompletableFuture<Integer> stage = new CompletableFuture<>();
            Operation<Integer, Integer> outer = e.bind(OperationDefinition.ofAsync("outer", id -> id, id -> stage));
            CompletableFuture<Integer> call = outer.callAsync(1);
            outer.forget(1);
            stage.complete(1);

            assertThat(Futures.get(call)).isEqualTo(1);
            assertThat(got)
                    .contains(
                            "callStarted", "flightStarted", "attemptEnded", "flightSettled", "callEnded", "forgotten");
        }
    }

    private SingleFlightEngine start(FlightListener listener) {
        engine.set(SingleFlightEngine.builder().listener(listener).build());
        return engine.get();
    }
}
