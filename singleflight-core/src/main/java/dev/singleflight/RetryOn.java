package dev.singleflight;

/** Which ends of an attempt may be followed by another attempt. */
public enum RetryOn {
    /** The work threw, or its stage completed exceptionally. */
    FAILURES,
    /** The attempt took longer than its timeout. */
    TIMEOUTS,
    /** Both, the default. */
    FAILURES_AND_TIMEOUTS;

    boolean covers(boolean timeout) {
        return this == FAILURES_AND_TIMEOUTS || (this == TIMEOUTS) == timeout;
    }
}
