package dev.singleflight.spring.interceptor;

import dev.singleflight.Operation;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operation of one method for each object it is called on. Objects are told apart by identity, and neither they nor
 * their operations are kept alive from here: an operation must not refer to its object.
 */
final class TargetOperations implements Operations {

    private final Supplier<Operation<FlightCall, @Nullable Object>> binding;
    private final Map<Object, Bound> bound = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    /** Most methods are called on one object all their life. */
    private volatile @Nullable Bound recent;

    TargetOperations(Supplier<Operation<FlightCall, @Nullable Object>> binding) {
        this.binding = binding;
    }

    @Override
    public Operation<FlightCall, @Nullable Object> of(Object target) {
        Bound last = recent;
        return last != null && last.refersTo(target) ? last.operation : find(target);
    }

    private Operation<FlightCall, @Nullable Object> find(Object target) {
        for (Reference<?> dead; (dead = gone.poll()) != null; ) {
            bound.remove(dead);
        }
        Bound found = bound.get(new Probe(target));
        if (found == null) {
            Bound added = new Bound(target, gone, binding.get());
            Bound first = bound.putIfAbsent(added, added);
            found = first == null ? added : first;
        }
        recent = found;
        return found.operation;
    }

    @Override
    public void announce() {
        Objects.requireNonNull(binding.get());
    }

    /** How many objects are known; those that are gone count until somebody new comes. */
    int size() {
        return bound.size();
    }

    private static final class Bound extends WeakReference<Object> {

        final Operation<FlightCall, @Nullable Object> operation;
        private final int hash;

        Bound(Object target, ReferenceQueue<Object> queue, Operation<FlightCall, @Nullable Object> operation) {
            super(target, queue);
            this.operation = operation;
            this.hash = System.identityHashCode(target);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object target = get();
            return target != null && other instanceof Bound that && that.refersTo(target);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** Looks for an object without a reference of its own to enqueue. */
    private static final class Probe {

        private final Object target;

        Probe(Object target) {
            this.target = target;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bound bound && bound.refersTo(target);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(target);
        }
    }
}
