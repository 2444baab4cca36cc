package dev.singleflight.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The peer: single flight as one writes it oneself. It has no limits, no retries, no counters, no deadline of a caller,
 * and a timeout only where {@link #callWithTimeout} arms one; that one neither frees the key nor interrupts the work.
 */
final class HandRolledSingleFlight<K, V> {

    private final ConcurrentHashMap<K, CompletableFuture<V>> flights = new ConcurrentHashMap<>();

    /** Runs the work on the calling thread, or waits for the one that does. */
    V call(K key, Supplier<V> work) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> running = flights.putIfAbsent(key, mine);
        if (running != null) {
            return running.join();
        }
        lead(key, mine, work);
        return mine.join();
    }

    V callWithTimeout(K key, Supplier<V> work, long seconds) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> running = flights.putIfAbsent(key, mine);
        if (running != null) {
            return running.join();
        }
        mine.orTimeout(seconds, TimeUnit.SECONDS);
        lead(key, mine, work);
        return mine.join();
    }

    V callOn(Executor executor, K key, Supplier<V> work) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> running = flights.putIfAbsent(key, mine);
        if (running != null) {
            return running.join();
        }
        executor.execute(() -> lead(key, mine, work));
        return mine.join();
    }

    /** Starts the work where nothing runs; all callers share one future. */
    CompletableFuture<V> callAsync(K key, Supplier<CompletableFuture<V>> work) {
        CompletableFuture<V> running = flights.get(key);
        if (running != null) {
            return running;
        }
        CompletableFuture<V> mine = new CompletableFuture<>();
        running = flights.putIfAbsent(key, mine);
        if (running != null) {
            return running;
        }
        work.get().whenComplete((value, failure) -> {
            flights.remove(key, mine);
            if (failure == null) {
                mine.complete(value);
            } else {
                mine.completeExceptionally(failure);
            }
        });
        return mine;
    }

    private void lead(K key, CompletableFuture<V> mine, Supplier<V> work) {
        V value;
        try {
            value = work.get();
        } catch (Throwable failure) {
            flights.remove(key, mine);
            mine.completeExceptionally(failure);
            return;
        }
        flights.remove(key, mine); // first: the next call must not meet a flight that is over
        mine.complete(value);
    }
}
