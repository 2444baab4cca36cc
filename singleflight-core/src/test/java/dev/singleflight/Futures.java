package dev.singleflight;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Bounded waits for what threads of a test give, so that a bug fails a test instead of hanging it. */
final class Futures {

    private Futures() {}

    static <T> T get(Future<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            throw new AssertionError("Expected a failure, but got " + get(future));
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("The latch was not opened within 30 seconds");
        }
    }

    /** Waits as work does that obeys no interrupt; the interrupt is swallowed. */
    static void awaitStubbornly(CountDownLatch latch) {
        for (; ; ) {
            try {
                await(latch);
                return;
            } catch (InterruptedException ignored) {
                // as announced
            }
        }
    }
}
