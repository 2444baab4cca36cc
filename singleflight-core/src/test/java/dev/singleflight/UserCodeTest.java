package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Code of the user's may have another thread use the engine, and wait for it, wherever it runs: it holds no lock. The
 * keys all have one hash, so that locks of a map's bins would be shared as well.
 */
@Timeout(120)
class UserCodeTest {

    record Key(int id) {

        @Override
        public int hashCode() {
            return 1;
        }
    }

    private final AtomicReference<SingleFlightEngine> engine = new AtomicReference<>();
    private final AtomicReference<Operation<Key, Integer>> probe = new AtomicReference<>();
    private final ConcurrentHashMap<String, Integer> visits = new ConcurrentHashMap<>();

    /** Set on the threads that use the engine for code of the user's, and on the workers that these need. */
    private final ThreadLocal<Boolean> outside = ThreadLocal.withInitial(() -> false);

    @AfterEach
    void close() {
        SingleFlightEngine open = engine.get();
        if (open != null) {
            outside.set(true);
            open.close();
        }
    }

    /** Has another thread use everything, other keys, the same keys, and waits for it. */
    private void useTheEngine(String where) {
        SingleFlightEngine used = engine.get();
        Operation<Key, Integer> operation = probe.get();
        if (outside.get() || used == null || operation == null || visits.merge(where, 1, Integer::sum) > 3) {
            return;
        }
        try {
            Futures.get(Threads.start(() -> {
                outside.set(true);
                for (int id = 100; id < 105; id++) {
                    assertThat(operation.call(new Key(id))).isEqualTo(id);
                }
                for (int id = 0; id < 5; id++) {
                    operation.callAsync(new Key(id)).cancel(true);
                    operation.callAsync(new Key(id), Duration.ZERO);
                }
                operation.forget(new Key(100));
                used.<Integer>call("adhoc", new Key(100), () -> 1);
                used.forget("adhoc", new Key(100));
                used.bind(OperationDefinition.of("another", id -> id, id -> id)).call(1);
                used.snapshot();
                return 0;
            }));
        } catch (Throwable blocked) {
            visits.put("FAILED in " + where + ": " + blocked, 1);
        }
    }

    private FlightListener listener() {
        return new FlightListener() {
            @Override
            public void operationAdded(String operation) {
                useTheEngine("operationAdded");
            }

            @Override
            public void callStarted(String operation, Object key) {
                useTheEngine("callStarted");
            }

            @Override
            public void callEnded(CallEnded event) {
                useTheEngine("callEnded");
            }

            @Override
            public void flightStarted(String operation, Object key) {
                useTheEngine("flightStarted");
            }

            @Override
            public void attemptEnded(AttemptEnded event) {
                useTheEngine("attemptEnded");
            }

            @Override
            public void flightSettled(FlightSettled event) {
                useTheEngine("flightSettled");
            }

            @Override
            public void evicted(String operation, EvictionCause cause) {
                useTheEngine("evicted");
            }

            @Override
            public void forgotten(String operation) {
                useTheEngine("forgotten");
            }
        };
    }

    @ParameterizedTest
    @EnumSource(RunOn.class)
    void noCodeOfTheUserRunsUnderALock(RunOn runOn) throws Exception {
        engine.set(SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .runOn(runOn)
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .executor(task -> {
                    boolean fromOutside = outside.get();
                    Threads.start(() -> {
                        outside.set(fromOutside);
                        task.run();
                        return null;
                    });
                })
                .cacheMaxItems(3)
                .cacheMaxBytes(1_000)
                .resultSizer(value -> {
                    useTheEngine("sizer");
                    return 10;
                })
                .listener(listener())
                .build());
        Operation<Key, Integer> operation = engine.get()
                .bind(OperationDefinition.of(
                        "probe",
                        key -> {
                            useTheEngine("key");
                            return key;
                        },
                        key -> {
                            useTheEngine("work");
                            return key.id();
                        }));
        probe.set(operation);

        for (int id = 0; id < 10; id++) {
            assertThat(operation.call(new Key(id))).isEqualTo(id);
        }
        CompletableFuture<Integer> sent = new CompletableFuture<>();
        operation.send(new Key(10), value -> {
            useTheEngine("callback");
            sent.complete(value);
        });
        assertThat(Futures.get(sent)).isEqualTo(10);
        CompletableFuture<Integer> chained = operation.callAsync(new Key(11)).thenApply(value -> {
            useTheEngine("dependent");
            return value;
        });
        assertThat(Futures.get(chained)).isEqualTo(11);
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        Operation<Integer, Integer> running =
                engine.get().bind(OperationDefinition.ofAsync("running", id -> id, id -> stage));
        CompletableFuture<Integer> forgotten = running.callAsync(12);
        running.forget(12); // what is retained may have been evicted
        stage.complete(12);
        assertThat(Futures.get(forgotten)).isEqualTo(12);
        operation.forgetAll();
        engine.get().bind(OperationDefinition.of("added", id -> id, id -> id));

        assertThat(visits)
                .containsOnlyKeys(
                        "operationAdded",
                        "callStarted",
                        "callEnded",
                        "flightStarted",
                        "attemptEnded",
                        "flightSettled",
                        "evicted",
                        "forgotten",
                        "sizer",
                        "key",
                        "work",
                        "callback",
                        "dependent");
    }

    @Test
    void aListenerOfTheSettlementMayCallTheSameKeyAndFindsItFreeOrRetained() throws Exception {
        List<Role> roles = new ArrayList<>();
        SingleFlightEngine own = SingleFlightEngine.builder()
                .listener(new FlightListener() {
                    @Override
                    public void flightSettled(FlightSettled event) {
                        if (roles.size() < 2) {
                            roles.add(null);
                            Operation<Key, Integer> operation = probe.get();
                            roles.set(
                                    roles.size() - 1,
                                    Threads.start(() -> operation
                                                    .callForOutcome(new Key(1))
                                                    .role())
                                            .join());
                        }
                    }
                })
                .build();
        engine.set(own);
        probe.set(own.bind(OperationDefinition.of("probe", key -> key, Key::id)));

        assertThat(probe.get().call(new Key(1))).isEqualTo(1);

        assertThat(roles).contains(Role.LEADER);
    }
}
