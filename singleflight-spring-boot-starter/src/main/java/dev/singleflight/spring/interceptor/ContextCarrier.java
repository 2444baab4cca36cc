package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;

/** Captures what goes along from a leader to the attempts of its flight. */
@FunctionalInterface
public interface ContextCarrier {

    /**
     * Captures what may be carried. Runs on the leader's thread, once a flight.
     *
     * @param operation name of the operation
     * @param reactorContext the subscriber's Reactor context, where there is one
     * @return the values; null where there are none
     */
    @Nullable
    CarriedContext capture(String operation, @Nullable Object reactorContext);
}
