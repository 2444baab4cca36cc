package dev.singleflight.sample.exchange;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Admits so many requests in each second, counted from the first one. */
final class RateLimit {

    private final int perSecond;
    private final LongSupplier ticker;

    // Guarded by this.
    private long secondStarted;
    private int admitted;

    RateLimit(int perSecond, LongSupplier ticker) {
        this.perSecond = perSecond;
        this.ticker = ticker;
    }

    synchronized boolean admits() {
        long now = ticker.getAsLong();
        if (admitted == 0 || now - secondStarted >= TimeUnit.SECONDS.toNanos(1)) {
            secondStarted = now;
            admitted = 0;
        }
        return perSecond > admitted && ++admitted > 0;
    }
}
