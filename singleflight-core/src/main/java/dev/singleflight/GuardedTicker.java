package dev.singleflight;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A ticker of the user's that always answers: where it throws, the time is what it said last. It is asked in the middle
 * of settlements and timeouts, which must come to their end.
 */
final class GuardedTicker implements LongSupplier {

    private static final System.Logger LOGGER = System.getLogger(SingleFlightEngine.class.getName());

    private final LongSupplier ticker;
    private final AtomicBoolean failed = new AtomicBoolean();
    private volatile long last;

    GuardedTicker(LongSupplier ticker) {
        this.ticker = ticker;
    }

    @Override
    public long getAsLong() {
        try {
            long now = ticker.getAsLong();
            last = now;
            return now;
        } catch (Throwable thrown) {
            if (failed.compareAndSet(false, true)) {
                LOGGER.log(Level.WARNING, "The ticker failed; further failures are not logged", thrown);
            }
            return last;
        }
    }
}
