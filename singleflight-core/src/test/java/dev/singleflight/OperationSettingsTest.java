package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings check every field and combine field by field. */
class OperationSettingsTest {

    private static final OperationSettings ALL = OperationSettings.builder()
            .timeout(Duration.ofSeconds(1))
            .waitTimeout(Duration.ofSeconds(2))
            .retries(3)
            .retryDelay(Duration.ofSeconds(4))
            .retryMultiplier(5)
            .retryMaxDelay(Duration.ofSeconds(6))
            .retryJitter(0.7)
            .retryOn(RetryOn.TIMEOUTS)
            .retryFor(IOException.class)
            .noRetryFor(Error.class)
            .cacheFor(Retention.of(Duration.ofSeconds(8)))
            .cacheErrorsFor(Retention.untilEvicted())
            .maxWaiters(9)
            .runOn(RunOn.LEADER)
            .whenAbandoned(WhenAbandoned.CANCEL)
            .build();

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(s -> s.timeout(Duration.ofMillis(-1)), "Invalid timeout (PT-0.001S): must not be negative"),
                mistake(
                        s -> s.waitTimeout(Duration.ofNanos(-1)),
                        "Invalid waitTimeout (PT-0.000000001S): must not be negative"),
                mistake(s -> s.retries(-1), "Invalid retries (-1): must not be negative"),
                mistake(s -> s.retryDelay(Duration.ofSeconds(-1)), "Invalid retryDelay (PT-1S): must not be negative"),
                mistake(
                        s -> s.retryMaxDelay(Duration.ofSeconds(-1)),
                        "Invalid retryMaxDelay (PT-1S): must not be negative"),
                mistake(
                        s -> s.retryMultiplier(0.5),
                        "Invalid retryMultiplier (0.5): must be a finite number of at least 1"),
                mistake(
                        s -> s.retryMultiplier(Double.NaN),
                        "Invalid retryMultiplier (NaN): must be a finite number of at least 1"),
                mistake(
                        s -> s.retryMultiplier(Double.POSITIVE_INFINITY),
                        "Invalid retryMultiplier (Infinity): must be a finite number of at least 1"),
                mistake(s -> s.retryJitter(1.1), "Invalid retryJitter (1.1): must be between 0 and 1"),
                mistake(s -> s.retryJitter(-0.1), "Invalid retryJitter (-0.1): must be between 0 and 1"),
                mistake(s -> s.retryJitter(Double.NaN), "Invalid retryJitter (NaN): must be between 0 and 1"),
                mistake(s -> s.maxWaiters(0), "Invalid maxWaiters (0): must be at least 1"),
                mistake(
                        s -> s.cacheFor(Retention.of(Duration.ofSeconds(-1))),
                        "Invalid retention (PT-1S): must not be negative"));
    }

    private static Arguments mistake(Consumer<OperationSettings.Builder> mistake, String message) {
        return Arguments.of(mistake, message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsToldWithItsValueAndRule(Consumer<OperationSettings.Builder> mistake, String message) {
        OperationSettings.Builder settings = OperationSettings.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    mistake.accept(settings);
                    settings.build();
                })
                .withMessage(message);
    }

    @Test
    void theEdgesOfEveryRangeAreAllowed() {
        OperationSettings edges = OperationSettings.builder()
                .timeout(Duration.ZERO)
                .waitTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                .retries(0)
                .retryDelay(Duration.ZERO)
                .retryMultiplier(1)
                .retryJitter(1)
                .maxWaiters(1)
                .cacheFor(Retention.of(Duration.ofSeconds(Long.MAX_VALUE)))
                .build();

        assertThat(Policy.of(edges).waitTimeout()).isZero();
        assertThat(edges.retryJitter()).isEqualTo(1);
    }

    @Test
    void whatIsNotSetIsNull() throws Exception {
        assertThat(OperationSettings.builder().build()).isEqualTo(OperationSettings.unset());
        for (RecordComponent field : OperationSettings.class.getRecordComponents()) {
            assertThat(field.getAccessor().invoke(OperationSettings.unset())).isNull();
            assertThat(field.getAccessor().invoke(ALL)).isNotNull();
        }
    }

    @Test
    void everyFieldThatIsSetWinsAndEveryOtherInherits() {
        assertThat(OperationSettings.unset().overriddenBy(ALL)).isEqualTo(ALL);
        assertThat(ALL.overriddenBy(OperationSettings.unset())).isEqualTo(ALL);
        assertThat(Policy.DEFAULTS.overriddenBy(ALL)).isEqualTo(ALL);
        assertThat(ALL.overriddenBy(Policy.DEFAULTS)).isEqualTo(Policy.DEFAULTS);
        OperationSettings mixed = ALL.overriddenBy(
                OperationSettings.builder().retries(0).retryFor().build());
        assertThat(mixed.retries()).isZero();
        assertThat(mixed.retryFor()).isEmpty();
        assertThat(mixed.retryDelay()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void aZeroTimeLiftsAnInheritedOne() {
        Policy lifted = Policy.of(ALL.overriddenBy(OperationSettings.builder()
                .timeout(Duration.ZERO)
                .waitTimeout(Duration.ZERO)
                .build()));

        assertThat(lifted.timeout()).isZero();
        assertThat(lifted.waitTimeout()).isZero();
    }

    @Test
    void theSetsOfThrowablesAreCopied() {
        Set<Class<? extends Throwable>> types = new HashSet<>(Set.of(IOException.class));
        OperationSettings settings = new OperationSettings(
                null, null, null, null, null, null, null, null, types, types, null, null, null, null, null);
        types.clear();

        assertThat(settings.retryFor()).containsExactly(IOException.class);
        assertThat(settings.noRetryFor()).containsExactly(IOException.class);
    }

    @Test
    void retentionsAreValuesThatReadWell() {
        assertThat(Retention.of(Duration.ZERO)).isEqualTo(Retention.none()).hasToString("none");
        assertThat(Retention.of(Duration.ofMillis(500)))
                .isEqualTo(Retention.of(Duration.ofNanos(500_000_000)))
                .hasSameHashCodeAs(Retention.of(Duration.ofMillis(500)))
                .isNotEqualTo(Retention.untilEvicted())
                .hasToString("PT0.5S");
        assertThat(Retention.untilEvicted()).hasToString("until-evicted");
    }
}
