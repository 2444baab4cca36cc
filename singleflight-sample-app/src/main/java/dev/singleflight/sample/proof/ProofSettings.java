package dev.singleflight.sample.proof;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the proof does.
 *
 * @param enabled whether it runs
 * @param callers requests at the same moment
 * @param userId the user whom all of them ask for
 * @param compare whether the same load runs without single flight, too
 */
@ConfigurationProperties("sample.proof")
record ProofSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1000") int callers,
        @DefaultValue("7") long userId,
        @DefaultValue("true") boolean compare) {

    private static final int MAX_CALLERS = 10_000;

    ProofSettings {
        if (callers < 1 || callers > MAX_CALLERS) {
            throw new IllegalArgumentException(
                    "Invalid sample.proof.callers (%d): must be from 1 to %d".formatted(callers, MAX_CALLERS));
        }
    }
}
