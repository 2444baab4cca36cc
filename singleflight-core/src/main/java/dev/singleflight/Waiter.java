package dev.singleflight;

import org.jspecify.annotations.Nullable;

/** A caller attached to a flight, as a link of the flight's stack of waiters. */
abstract class Waiter {

    /** Written before the waiter is pushed, then only by the one thread that sweeps the stack at a time. */
    @Nullable
    Waiter next;

    /** Whether the caller has left; such links are swept out. */
    abstract boolean isGone();

    /** Gives the caller the outcome; called once, by the thread that settled the flight. */
    abstract void settled();
}
