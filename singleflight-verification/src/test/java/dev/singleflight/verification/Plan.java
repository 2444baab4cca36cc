package dev.singleflight.verification;

import dev.singleflight.OperationSettings;
import dev.singleflight.Retention;
import dev.singleflight.RunOn;
import dev.singleflight.WhenAbandoned;
import java.time.Duration;
import java.util.List;

/**
 * An operation of the fuzzer.
 *
 * @param isExclusive whether an execution of it is alone until it ends: nothing times out, is cancelled or forgotten
 */
record Plan(String name, OperationSettings settings, boolean isExclusive, boolean retains, boolean isForgotten) {

    static List<Plan> all() {
        OperationSettings.Builder calm = OperationSettings.builder().timeout(Duration.ZERO);
        return List.of(
                new Plan("worker", calm.build(), true, false, false),
                new Plan(
                        "leader",
                        with().timeout(Duration.ZERO).runOn(RunOn.LEADER).build(),
                        true,
                        false,
                        false),
                new Plan(
                        "retrying",
                        with().timeout(Duration.ZERO)
                                .retries(3)
                                .retryDelay(Duration.ofNanos(200_000))
                                .retryJitter(1)
                                .build(),
                        true,
                        false,
                        false),
                new Plan(
                        "retrying-leader",
                        with().timeout(Duration.ofMillis(3))
                                .retries(2)
                                .runOn(RunOn.LEADER)
                                .build(),
                        false,
                        false,
                        true),
                new Plan(
                        "timed", with().timeout(Duration.ofMillis(2)).retries(1).build(), false, false, true),
                new Plan("abandoned", with().whenAbandoned(WhenAbandoned.CANCEL).build(), false, false, true),
                new Plan(
                        "abandoned-leader",
                        with().whenAbandoned(WhenAbandoned.CANCEL)
                                .runOn(RunOn.LEADER)
                                .maxWaiters(4)
                                .build(),
                        false,
                        false,
                        true),
                new Plan(
                        "retained",
                        with().cacheFor(Retention.of(Duration.ofMillis(1)))
                                .cacheErrorsFor(Retention.of(Duration.ofNanos(300_000)))
                                .build(),
                        false,
                        true,
                        true),
                new Plan(
                        "kept-leader",
                        with().cacheFor(Retention.untilEvicted())
                                .runOn(RunOn.LEADER)
                                .build(),
                        false,
                        true,
                        true));
    }

    private static OperationSettings.Builder with() {
        return OperationSettings.builder();
    }

    @Override
    public String toString() {
        return name;
    }
}
