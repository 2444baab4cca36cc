package dev.singleflight;

/** How a caller came by its outcome. */
public enum Role {
    /** Its arrival started the flight. */
    LEADER,
    /** It joined a flight that was running. */
    JOINED,
    /** It was given a retained outcome. */
    RETAINED
}
