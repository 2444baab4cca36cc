package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;

/** What goes along from the leader to each attempt of its flight: values of its thread, and of its Reactor context. */
public interface CarriedContext {

    /**
     * Sets the values on the thread of an attempt.
     *
     * @return what restores the thread
     */
    Scope open();

    /**
     * Adds the values to the context of a publisher that an attempt subscribes to.
     *
     * @param context a Reactor context
     * @param <C> Reactor's type, which is not there in every application
     * @return a context with the values
     */
    <C> C addTo(C context);

    /**
     * Learns that the flight is settled; called once, before its callers have the outcome.
     *
     * @param failure what it failed with; null on success
     */
    default void settled(@Nullable Throwable failure) {}

    /** Values that are set on a thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Restores what was set before. */
        @Override
        void close();
    }
}
