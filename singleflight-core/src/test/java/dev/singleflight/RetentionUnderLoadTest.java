package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A retained outcome is replaced exactly once when its time is over, however many callers find it so. */
@Timeout(120)
class RetentionUnderLoadTest {

    @Test
    void anExpiryCostsOneExecution() throws Exception {
        ManualTimers time = new ManualTimers();
        int threads = 4;
        int rounds = 500;
        AtomicInteger executions = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(threads + 1);
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().ticker(time).timers(time).build()) {
            Operation<Integer, Integer> operation = engine.bind(
                    OperationDefinition.of("load", id -> id, id -> executions.incrementAndGet()),
                    OperationSettings.builder()
                            .cacheFor(Retention.of(Duration.ofMillis(10)))
                            .build());
            List<CompletableFuture<Object>> callers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                callers.add(Threads.start(() -> {
                    for (int round = 1; round <= rounds; round++) {
                        together.await(30, TimeUnit.SECONDS);
                        for (int call = 0; call < 20; call++) {
                            assertThat(operation.call(1)).isEqualTo(round);
                        }
                        together.await(30, TimeUnit.SECONDS);
                    }
                    return null;
                }));
            }
            for (int round = 1; round <= rounds; round++) {
                together.await(30, TimeUnit.SECONDS);
                together.await(30, TimeUnit.SECONDS);
                time.advance(Duration.ofMillis(10));
            }
            for (CompletableFuture<Object> caller : callers) {
                Futures.get(caller);
            }
            assertThat(executions).hasValue(rounds);
        }
    }

    @Test
    void whatSettlesWhileEverythingIsForgottenIsNotRetained() throws Exception {
        int rounds = 20_000;
        CyclicBarrier together = new CyclicBarrier(2);
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().executor(Runnable::run).build()) {
            Operation<CompletableFuture<Integer>, Integer> running = engine.bind(
                    OperationDefinition.ofAsync("running", s -> "key", s -> s),
                    OperationSettings.builder()
                            .cacheFor(Retention.untilEvicted())
                            .timeout(Duration.ZERO)
                            .build());
            CompletableFuture<?>[] current = new CompletableFuture<?>[1];
            CompletableFuture<Object> settler = Threads.start(() -> {
                for (int round = 0; round < rounds; round++) {
                    together.await(30, TimeUnit.SECONDS);
                    current[0].complete(null);
                    together.await(30, TimeUnit.SECONDS);
                }
                return null;
            });
            for (int round = 0; round < rounds; round++) {
                CompletableFuture<Integer> result = new CompletableFuture<>();
                current[0] = result;
                CompletableFuture<Integer> flight = running.callAsync(result);
                together.await(30, TimeUnit.SECONDS);
                running.forgetAll();
                together.await(30, TimeUnit.SECONDS);
                Futures.get(flight);
                assertThat(running.registry.find("key")).isNull();
            }
            Futures.get(settler);
        }
    }
}
