package dev.singleflight;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Threads of a test: daemons, each with a future of what it returns or throws. */
final class Threads {

    private Threads() {}

    static <T> CompletableFuture<T> start(Callable<T> action) {
        return run(action).result();
    }

    /** Starts the action where the test needs the thread too, to interrupt it. */
    static <T> Running<T> run(Callable<T> action) {
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
        return new Running<>(thread, result);
    }

    record Running<T>(Thread thread, CompletableFuture<T> result) {}
}
