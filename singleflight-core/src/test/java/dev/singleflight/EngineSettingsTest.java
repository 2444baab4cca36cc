package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine's settings are checked, and operations take theirs from override, handle, defaults and library in turn. */
@Timeout(60)
class EngineSettingsTest {

    private final AtomicInteger attempts = new AtomicInteger();
    private final OperationDefinition<Integer, Object> failing = OperationDefinition.of("load", id -> id, id -> {
        attempts.incrementAndGet();
        throw new IllegalStateException();
    });

    @Test
    void mistakesAreToldWithTheirValueAndRule() {
        SingleFlightEngineBuilder builder = SingleFlightEngine.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxFlights(0))
                .withMessage("Invalid maxFlights (0): must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.cacheMaxItems(-1))
                .withMessage("Invalid cacheMaxItems (-1): must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.cacheMaxBytes(0))
                .withMessage("Invalid cacheMaxBytes (0): must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.shutdownTimeout(Duration.ofSeconds(-1)))
                .withMessage("Invalid shutdownTimeout (PT-1S): must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.override("a/b", OperationSettings.unset()))
                .withMessage("Invalid operation name ('a/b'): must not be blank or contain '/'");
    }

    @Test
    void nullsAreToldByName() {
        SingleFlightEngineBuilder builder = SingleFlightEngine.builder();

        assertThatNullPointerException()
                .isThrownBy(() -> builder.executor(null))
                .withMessage("executor");
        assertThatNullPointerException().isThrownBy(() -> builder.ticker(null)).withMessage("ticker");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.listener(null))
                .withMessage("listener");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.defaults(null))
                .withMessage("defaults");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.resultSizer(null))
                .withMessage("resultSizer");
        assertThatNullPointerException()
                .isThrownBy(() -> OperationDefinition.of("load", null, id -> id))
                .withMessage("key");
        assertThatNullPointerException()
                .isThrownBy(() -> OperationDefinition.of("load", id -> id, null))
                .withMessage("work");
    }

    @Test
    void aNameIsALabelWithoutSlash() {
        for (String name : new String[] {"", "  ", "a/b", "/"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OperationDefinition.of(name, id -> id, id -> id))
                    .withMessage("Invalid operation name ('" + name + "'): must not be blank or contain '/'");
        }
    }

    @Test
    void aNegativeDeadlineIsAMistakeOfTheCaller() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            Operation<Integer, Object> operation = engine.bind(failing);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> operation.call(7, Duration.ofMillis(-1)))
                    .withMessage("Invalid deadline (PT-0.001S): must not be negative");
            assertThatIllegalArgumentException().isThrownBy(() -> operation.callAsync(7, Duration.ofMillis(-1)));
            assertThatIllegalArgumentException().isThrownBy(() -> operation.callForOutcome(7, Duration.ofMillis(-1)));
            assertThat(attempts).hasValue(0);
        }
    }

    @Test
    void theLibrarysDefaultsApplyWhereNothingIsSet() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            assertThat(attempts(engine, OperationSettings.unset())).isEqualTo(1);
            EngineSnapshot now = engine.snapshot();
            assertThat(now.maxFlights()).isEqualTo(10_000);
            assertThat(now.maxItems()).isEqualTo(10_000);
            assertThat(now.maxBytes()).isNull();
            assertThat(now.retainedBytes()).isNull();
        }
    }

    @Test
    void anOverrideBeatsTheHandleWhichBeatsTheDefaultsFieldByField() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder().retries(1).maxWaiters(50).build())
                .override("other", OperationSettings.builder().retries(4).build())
                .build()) {
            assertThat(attempts(engine, OperationSettings.unset())).isEqualTo(2);
            assertThat(attempts(engine, OperationSettings.builder().retries(2).build()))
                    .isEqualTo(3);
            assertThat(attempts(engine, OperationSettings.builder().retries(0).build()))
                    .isEqualTo(1);
        }
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder().retries(1).maxWaiters(50).build())
                .override("load", OperationSettings.builder().retries(4).build())
                .build()) {
            Operation<Integer, Object> operation = engine.bind(
                    failing,
                    OperationSettings.builder().retries(2).maxWaiters(40).build());
            assertThat(attempts(engine, OperationSettings.builder().retries(2).build()))
                    .isEqualTo(5);
            assertThat(operation.policy.retries()).isEqualTo(4);
            assertThat(operation.policy.maxWaiters()).isEqualTo(40);
            assertThat(engine.bind(failing).policy.maxWaiters()).isEqualTo(50);
        }
    }

    @Test
    void defaultsAndOverridesRuleAdHocCallsToo() {
        try (SingleFlightEngine engine = SingleFlightEngine.builder()
                .defaults(OperationSettings.builder()
                        .cacheFor(Retention.untilEvicted())
                        .build())
                .override(
                        "fresh",
                        OperationSettings.builder().cacheFor(Retention.none()).build())
                .build()) {
            Object kept = engine.call("kept", 1, Object::new);
            Object fresh = engine.call("fresh", 1, Object::new);

            assertThat(engine.<Object>call("kept", 1, Object::new)).isSameAs(kept);
            assertThat(engine.<Object>call("fresh", 1, Object::new)).isNotSameAs(fresh);
        }
    }

    @Test
    void aBuilderUsedAgainDoesNotChangeTheEngineItHasBuilt() {
        SingleFlightEngineBuilder builder = SingleFlightEngine.builder();
        try (SingleFlightEngine engine = builder.build()) {
            Events events = new Events();
            builder.listener(events)
                    .override("load", OperationSettings.builder().retries(4).build());

            assertThat(attempts(engine, OperationSettings.unset())).isEqualTo(1);
            assertThat(events.all).isEmpty();
        }
    }

    private int attempts(SingleFlightEngine engine, OperationSettings settings) {
        attempts.set(0);
        assertThat(engine.bind(failing, settings).callForOutcome(7).attempts()).isEqualTo(attempts.get());
        return attempts.get();
    }
}
