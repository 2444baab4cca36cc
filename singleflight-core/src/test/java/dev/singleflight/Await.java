package dev.singleflight;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for something that another thread does and that leaves no latch to wait on, such as being parked. */
final class Await {

    private static final long GIVE_UP_NANOS = 30_000_000_000L;

    private Await() {}

    static void until(Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > GIVE_UP_NANOS) {
                throw new AssertionError("The condition did not come true within 30 seconds");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** Waits until so many callers are attached to the flights of the engine. */
    static void waiters(SingleFlightEngine engine, int count) throws Exception {
        until(() -> engine.snapshot().waiters() == count);
    }
}
