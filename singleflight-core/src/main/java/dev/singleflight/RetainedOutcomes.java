package dev.singleflight;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy.Eviction;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.singleflight.FlightListener.EvictionCause;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long the engine's retained outcomes stay: Caffeine evicts them, a deadline expires them, the registries map
 * keys to them. An outcome enters the store first and takes its flight's place under the key second. If the store lets go of it
 * in between, it says so ({@link Retained#gone}) before it frees the key, and the settling thread looks after it has
 * taken the key: one of the two frees it.
 *
 * <p>Expiry is not left to Caffeine because a store without it reads no clock and, while it is less than half full, keeps
 * no books at a hit.
 *
 * <p>Caffeine bounds either number or weight. Where bytes are bounded, it bounds those, and the coldest outcomes beyond
 * the number are taken out here by the thread that brought one too many.
 */
final class RetainedOutcomes {

    private static final int BYTES_WHERE_UNKNOWN = 1024;

    private final Cache<Retained, Retained> store;
    private final int maxItems;
    private final long maxBytes;
    private final ToLongFunction<@Nullable Object> sizer;
    private final LongSupplier ticker;
    private final Listeners listeners;
    private final AtomicInteger items = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final ReentrantLock trimming = new ReentrantLock();

    /** Evictions that the listeners shall hear of once no lock of the store is held. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** Creates the store; {@code maxBytes} is negative for no bound. */
    RetainedOutcomes(
            int maxItems,
            long maxBytes,
            ToLongFunction<@Nullable Object> sizer,
            LongSupplier ticker,
            Listeners listeners) {
        this.maxItems = maxItems;
        this.maxBytes = maxBytes;
        this.sizer = sizer;
        this.ticker = ticker;
        this.listeners = listeners;
        Caffeine<Object, Object> builder = Caffeine.newBuilder().executor(Runnable::run);
        if (maxBytes < 0) {
            builder.maximumSize(maxItems);
        } else {
            builder.maximumWeight(maxBytes).weigher((Retained key, Retained retained) -> retained.bytes);
        }
        this.store = builder.removalListener(
                        (@Nullable Retained key, @Nullable Retained retained, RemovalCause cause) ->
                                removed(Objects.requireNonNull(retained), cause))
                .build();
    }

    /** Uses the outcome, if it may still be used. */
    boolean read(Retained retained) {
        if (isExpired(retained)) {
            expire(retained);
            return false;
        }
        return store.getIfPresent(retained) != null;
    }

    private boolean isExpired(Retained retained) {
        return retained.expiry != null && ticker.getAsLong() - retained.expiry.settledAt >= retained.expiry.nanos;
    }

    private void expire(Retained retained) {
        if (store.asMap().remove(retained) != null) {
            tellEvicted(retained, EvictionCause.EXPIRED);
            publish();
        }
    }

    /**
     * Keeps the outcome of a flight that is about to settle, in place of the flight, if its policy says so and nobody
     * has forgotten it.
     */
    boolean retain(Flight flight) {
        long nanos = retention(flight);
        if (nanos == 0 || maxItems == 0 || !mayRetain(flight)) {
            return false;
        }
        Retained retained = new Retained(flight, maxBytes < 0 ? 0 : size(flight.result()));
        if (nanos != Retention.untilEvicted().nanos()) {
            retained.expiry = new Expiry(retained, nanos, flight.operation.engine.deadlines(nanos));
            retained.expiry.arm();
        }
        items.incrementAndGet();
        bytes.addAndGet(retained.bytes);
        retained.books.retainedItems.increment();
        store.put(retained, retained);
        boolean kept = retained.registry.retain(flight, retained);
        if (!kept) {
            store.invalidate(retained);
        } else if (retained.gone) {
            retained.registry.remove(retained);
        } else if (isExpired(retained)) {
            expire(retained); // its timer may have looked before it was in the store
        }
        trim();
        publish();
        return kept;
    }

    private static boolean mayRetain(Flight flight) {
        return flight.result() instanceof Failure
                || flight.operation.definition.mayRetain(flight.param, flight.result());
    }

    private static long retention(Flight flight) {
        Policy policy = flight.operation.policy;
        if (!(flight.result() instanceof Failure failure)) {
            return policy.cacheFor();
        }
        return switch (failure.kind()) {
            case WORK, TIMEOUT -> policy.cacheErrorsFor();
            case UNAVAILABLE, CANCELLED -> 0;
        };
    }

    private int size(@Nullable Object result) {
        try {
            long size = sizer.applyAsLong(result instanceof Failure failure ? failure.throwable() : result);
            return size < 0 ? BYTES_WHERE_UNKNOWN : (int) Math.min(size, Integer.MAX_VALUE);
        } catch (Throwable sizerFailed) {
            return BYTES_WHERE_UNKNOWN;
        }
    }

    /** Does not return before the bounds hold, save for what other threads bring meanwhile. */
    private void trim() {
        if (items.get() <= maxItems && (maxBytes < 0 || bytes.get() <= maxBytes)) {
            return;
        }
        store.cleanUp(); // a thread that is evicting already lets others go on until a buffer is full
        if (maxBytes < 0 || items.get() <= maxItems) {
            return;
        }
        trimming.lock();
        try {
            Eviction<Retained, Retained> order = store.policy().eviction().orElseThrow();
            while (items.get() > maxItems) {
                Set<Retained> coldest = order.coldest(1).keySet();
                if (coldest.isEmpty()) {
                    return;
                }
                for (Retained retained : coldest) {
                    if (store.asMap().remove(retained) != null) {
                        tellEvicted(retained, EvictionCause.SIZE);
                    }
                }
            }
        } finally {
            trimming.unlock();
        }
    }

    /** Lets go of an outcome that was forgotten. */
    void forget(Retained retained) {
        store.invalidate(retained);
        publish();
    }

    void clear() {
        store.invalidateAll();
    }

    /** Called by the store, which may hold a lock of its own: nothing of the user's runs here, save comparing keys. */
    private void removed(Retained retained, RemovalCause cause) {
        items.decrementAndGet();
        bytes.addAndGet(-retained.bytes);
        retained.books.retainedItems.decrement();
        if (retained.expiry != null) {
            retained.expiry.disarm();
        }
        retained.gone = true;
        retained.registry.remove(retained);
        if (cause.wasEvicted()) {
            tellEvicted(retained, EvictionCause.SIZE);
        }
    }

    private void tellEvicted(Retained retained, EvictionCause cause) {
        if (listeners.any()) {
            String name = retained.books.name;
            news.add(() -> listeners.tell(listener -> listener.evicted(name, cause)));
        }
    }

    private void publish() {
        for (Runnable next; !news.isEmpty() && (next = news.poll()) != null; ) {
            next.run();
        }
    }

    int items() {
        return items.get();
    }

    /** Returns the approximate bytes kept, or null where they are not bounded and hence not counted. */
    @Nullable
    Long bytes() {
        return maxBytes < 0 ? null : bytes.get();
    }

    int maxItems() {
        return maxItems;
    }

    @Nullable
    Long maxBytes() {
        return maxBytes < 0 ? null : maxBytes;
    }

    /** Lets go of an outcome in time even if nobody calls. */
    final class Expiry extends DeadlineQueue.Deadline {

        final long settledAt = ticker.getAsLong();
        final long nanos;
        private final Retained retained;
        private final DeadlineQueue queue;

        Expiry(Retained retained, long nanos, DeadlineQueue queue) {
            this.retained = retained;
            this.nanos = nanos;
            this.queue = queue;
        }

        void arm() {
            queue.add(this);
        }

        @Override
        boolean isQuick() {
            return true;
        }

        @Override
        void expired() {
            if (isExpired(retained)) {
                expire(retained);
            } else {
                arm(); // the ticker is behind the timers
            }
        }
    }
}
