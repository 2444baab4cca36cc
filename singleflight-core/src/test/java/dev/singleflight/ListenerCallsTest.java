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
        try (SingleFlightEngine e = start(new FlightListener() {
            private void call() {
                if (got.size() < 20) {
                    got.add(0);
                    engine.get().call("inner", got.size(), () -> 0);
                    engine.get().snapshot();
                }
            }

            @Override
            public void callStarted(String operation, Object key) {
                call();
            }

            @Override
            public void callEnded(CallEnded event) {
                call();
            }

            @Override
            public void flightStarted(String operation, Object key) {
                call();
            }

            @Override
            public void attemptEnded(AttemptEnded event) {
                call();
            }

            @Override
            public void flightSettled(FlightSettled event) {
                call();
            }
        })) {
            CompletableFuture<Integer> call = Threads.start(() -> e.call("outer", 0, () -> 1));

            assertThat(Futures.get(call)).isEqualTo(1);
            assertThat(got).hasSize(20);
        }
    }

    private SingleFlightEngine start(FlightListener listener) {
        engine.set(SingleFlightEngine.builder().listener(listener).build());
        return engine.get();
    }
}
