package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.FlightListener.EvictionCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A retained outcome goes when its time is over: at a call, by its timer, and not before either. */
@Timeout(60)
class RetentionExpiryTest {

    private final ManualTimers timers = new ManualTimers();
    private final AtomicLong behind = new AtomicLong();
    private final List<EvictionCause> evictions = new ArrayList<>();
    private final AtomicInteger executions = new AtomicInteger();

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .ticker(() -> timers.getAsLong() - behind.get())
            .timers(timers)
            .shutdownTimeout(Duration.ZERO)
            .listener(new FlightListener() {
                @Override
                public void evicted(String operation, EvictionCause cause) {
                    evictions.add(cause);
                }
            })
            .build();

    private final Operation<Integer, Integer> counting = engine.bind(
            OperationDefinition.of("counting", id -> id, id -> executions.incrementAndGet()),
            OperationSettings.builder()
                    .cacheFor(Retention.of(Duration.ofSeconds(10)))
                    .runOn(RunOn.LEADER)
                    .build());

    @Test
    void anOutcomeIsGivenUntilItsTimeIsOver() {
        assertThat(counting.call(7)).isEqualTo(1);
        timers.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(counting.call(7)).isEqualTo(1);
        timers.advance(Duration.ofNanos(1));
        assertThat(counting.call(7)).isEqualTo(2);
    }

    @Test
    void outcomesWhoseTimeIsOverTogetherGoOnOneWorker() {
        AtomicInteger workers = new AtomicInteger();
        ManualTimers time = new ManualTimers(task -> {
            workers.incrementAndGet();
            task.run();
        });
        try (SingleFlightEngine manual =
                SingleFlightEngine.builder().ticker(time).timers(time).build()) {
            Operation<Integer, Integer> operation = manual.bind(
                    OperationDefinition.of("load", id -> id, id -> id),
                    OperationSettings.builder()
                            .cacheFor(Retention.of(Duration.ofSeconds(10)))
                            .runOn(RunOn.LEADER)
                            .build());
            for (int id = 0; id < 100; id++) {
                operation.call(id);
            }
            time.advance(Duration.ofSeconds(10));

            assertThat(manual.snapshot().retainedItems()).isZero();
            assertThat(workers).hasValue(1);
        }
    }

    @Test
    void anOutcomeGoesInTimeThoughNobodyCalls() {
        counting.call(7);
        timers.advance(Duration.ofSeconds(10));

        assertThat(engine.snapshot().retainedItems()).isZero();
        assertThat(evictions).containsExactly(EvictionCause.EXPIRED);
    }

    @Test
    void anOutcomeOutlivesItsTimerWhereTheTickerIsBehind() {
        counting.call(7);
        behind.set(Duration.ofSeconds(1).toNanos());
        timers.advance(Duration.ofSeconds(10));
        assertThat(counting.call(7)).isEqualTo(1);

        timers.advance(Duration.ofSeconds(10));
        assertThat(engine.snapshot().retainedItems()).isZero();
    }

    @Test
    void anOutcomeThatWasForgottenLeavesNoTimerForItsSuccessor() {
        counting.call(7);
        timers.advance(Duration.ofSeconds(5));
        counting.forget(7);
        assertThat(counting.call(7)).isEqualTo(2);
        timers.advance(Duration.ofSeconds(6));

        assertThat(counting.call(7)).isEqualTo(2);
        assertThat(evictions).isEmpty();
    }
}
