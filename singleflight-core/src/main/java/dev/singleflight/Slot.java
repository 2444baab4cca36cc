package dev.singleflight;

import org.jspecify.annotations.Nullable;

/**
 * What a key maps to: a flight under way, or the retained outcome of one that is over. One map holds both, so that "is
 * it running, is it retained, or is it mine to start" is one atomic question.
 */
abstract sealed class Slot permits WaitingRoom, Retained {

    final Object key;

    /** The key's hash when it came: the slot is found again whatever happens to the key meanwhile. */
    final int hash;

    Slot(Object key, int hash) {
        this.key = key;
        this.hash = hash;
    }

    /** The value, or a {@link Failure}. */
    abstract @Nullable Object result();

    abstract int attempts();

    abstract int served();
}
