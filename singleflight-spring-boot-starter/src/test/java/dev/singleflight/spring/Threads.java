package dev.singleflight.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Threads of a test: daemons, each with a future of what it returns or throws. */
public final class Threads {

    private static final long GIVE_UP_NANOS = 10_000_000_000L;

    private Threads() {}

    public static <T> CompletableFuture<T> start(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    public static <T> List<CompletableFuture<T>> start(int count, Callable<T> action) {
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(start(action));
        }
        return all;
    }

    /** Waits for something that leaves no latch to wait on, such as a caller being attached to a flight. */
    public static void await(Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > GIVE_UP_NANOS) {
                throw new AssertionError("The condition did not come true within 10 seconds");
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
