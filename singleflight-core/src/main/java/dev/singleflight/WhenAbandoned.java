package dev.singleflight;

/** What becomes of a flight when its last caller has left. */
public enum WhenAbandoned {
    /** The flight goes on and its outcome is retained as usual, the default. */
    CONTINUE,
    /** The running attempt is interrupted and the key is free at once. */
    CANCEL
}
