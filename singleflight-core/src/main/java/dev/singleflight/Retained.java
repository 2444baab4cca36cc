package dev.singleflight;

import org.jspecify.annotations.Nullable;

/**
 * A settled outcome that is kept under its key. It is also its own key in the store that bounds what is kept: equal to
 * itself only, so that a successor is another entry, but with a hash made of the user's key, so that the store remembers
 * how often that key was asked for.
 */
final class Retained extends Slot implements Arrival {

    final FlightRegistry registry;
    final Bookkeeping books;
    final int bytes;

    /** Null where it stays until evicted; set before it is in the store. */
    RetainedOutcomes.@Nullable Expiry expiry;

    /** Set when the store has let go of it; whoever has put it under its key meanwhile takes it away again. */
    volatile boolean gone;

    private final @Nullable Object result;
    private final int attempts;
    private final int served;

    Retained(Flight flight, int bytes) {
        super(flight.key, flight.hash);
        this.registry = flight.operation.registry;
        this.books = flight.operation.books;
        this.bytes = bytes;
        this.result = flight.result();
        this.attempts = flight.attempts();
        this.served = flight.attached();
    }

    @Override
    public Flight flight() {
        throw new IllegalStateException("A retained outcome has no flight");
    }

    @Override
    public Role role() {
        return Role.RETAINED;
    }

    @Override
    @Nullable
    Object result() {
        return result;
    }

    @Override
    int attempts() {
        return attempts;
    }

    @Override
    int served() {
        return served;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(registry) + hash;
    }
}
