package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who has an outcome never meets the flight it came from again, nor the limits that it took up. */
@Timeout(180)
class SequentialCallsTest {

    private static final int ROUNDS = 10_000;

    @AutoClose
    private final SingleFlightEngine engine =
            SingleFlightEngine.builder().maxFlights(1).build();

    private final AtomicInteger executions = new AtomicInteger();
    private final OperationDefinition<Integer, Integer> definition =
            OperationDefinition.of("load", id -> id, id -> executions.incrementAndGet());

    @ParameterizedTest
    @EnumSource
    void everyBlockingCallRunsAnew(RunOn runOn) {
        Operation<Integer, Integer> operation = engine.bind(
                definition,
                OperationSettings.builder().runOn(runOn).maxWaiters(1).build());

        for (int round = 1; round <= ROUNDS; round++) {
            assertThat(operation.call(7)).isEqualTo(round);
        }
        assertThat(engine.snapshot().operations().get("load").joined()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void everyCallAfterAFutureRunsAnew(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation = engine.bind(
                definition,
                OperationSettings.builder().runOn(runOn).maxWaiters(1).build());

        for (int round = 1; round <= ROUNDS; round += 2) {
            assertThat(Futures.get(operation.callAsync(7))).isEqualTo(round);
            assertThat(operation.call(7)).isEqualTo(round + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callersOfSeveralThreadsNeverGetAnOutcomeOlderThanTheirCall(RunOn runOn) throws Exception {
        Operation<Integer, Integer> operation =
                engine.bind(definition, OperationSettings.builder().runOn(runOn).build());
        List<CompletableFuture<Void>> threads = new ArrayList<>();

        for (int i = 0; i < 4; i++) {
            threads.add(Threads.start(() -> {
                for (int round = 0, last = 0; round < ROUNDS; round++) {
                    int before = executions.get();
                    int value = operation.call(7);
                    assertThat(value).isGreaterThan(last).isGreaterThanOrEqualTo(before);
                    last = value;
                }
                return null;
            }));
        }

        for (CompletableFuture<Void> thread : threads) {
            thread.get(120, java.util.concurrent.TimeUnit.SECONDS);
        }
        OperationSnapshot figures = engine.snapshot().operations().get("load");
        assertThat(figures.executions()).isEqualTo(executions.get());
        assertThat(figures.executions() + figures.joined()).isEqualTo(4L * ROUNDS);
        assertThat(engine.snapshot().activeFlights()).isZero();
    }
}
