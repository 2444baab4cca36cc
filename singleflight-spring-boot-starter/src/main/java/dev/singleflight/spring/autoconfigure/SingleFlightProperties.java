package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.context.AllowedKeys.Propagation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The {@code singleflight.*} properties.
 *
 * @param enabled Whether annotated methods fly; otherwise they run plainly.
 * @param startUpChecks What becomes of annotations that cannot have an effect.
 * @param maxFlights Bound on flights that are not settled and workers that are stuck, together.
 * @param exposeKeys Whether keys stand in messages of exceptions and in events.
 * @param cache bounds on retained outcomes
 * @param metrics bounds on meters
 * @param shutdownTimeout How long to wait for flights on shutdown before they are interrupted; never longer than the
 *     timeout of a shutdown phase.
 * @param context what goes along from the leader to the attempts of its flight
 * @param web answers over HTTP
 * @param defaults policies that operations inherit
 * @param operations Policies by name of an operation; they win over its annotation. Names with dots need brackets.
 */
@ConfigurationProperties("singleflight")
public record SingleFlightProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("fail") StartUpCheck startUpChecks,
        @DefaultValue("10000") int maxFlights,
        @DefaultValue("never") ExposeKeys exposeKeys,
        @DefaultValue Cache cache,
        @DefaultValue Metrics metrics,
        @DefaultValue("30s") Duration shutdownTimeout,
        @DefaultValue Context context,
        @DefaultValue Web web,
        @NestedConfigurationProperty @DefaultValue OperationProperties defaults,
        @DefaultValue Map<String, OperationProperties> operations) {

    /** What becomes of annotations that cannot have an effect. */
    public enum StartUpCheck {
        /** The application does not start. */
        FAIL,
        /** A warning is logged. */
        WARN
    }

    /** Whether keys are shown. */
    public enum ExposeKeys {
        /** They are not. */
        NEVER,
        /** They are. */
        ALWAYS
    }

    /**
     * Bounds on retained outcomes.
     *
     * @param maxItems How many outcomes are kept at most.
     * @param maxBytes Approximate size of the outcomes that are kept at most; sizes are estimated only where this is set.
     */
    public record Cache(
            @DefaultValue("10000") int maxItems, @Nullable DataSize maxBytes) {}

    /**
     * Bounds on meters.
     *
     * @param maxOperations How many operations have meters of their own; those of the rest add up as "other".
     */
    public record Metrics(@DefaultValue("200") int maxOperations) {}

    /**
     * What goes along from the leader to the attempts of its flight.
     *
     * @param propagate What goes along.
     * @param keys Further keys of accessors and of the Reactor context that go along: their text, or the name of the class
     *     where a key is one.
     */
    public record Context(
            @DefaultValue("observability") Propagation propagate,
            @DefaultValue List<String> keys) {}

    /**
     * Answers over HTTP.
     *
     * @param problemDetails Whether failures of single flight itself are answered as problem details.
     */
    public record Web(@DefaultValue("true") boolean problemDetails) {}
}
