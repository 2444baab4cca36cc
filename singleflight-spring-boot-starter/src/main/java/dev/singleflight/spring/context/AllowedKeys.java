package dev.singleflight.spring.context;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells which keys of thread-local accessors and of Reactor contexts go along.
 *
 * @param propagation what goes along whatever the names
 * @param names further keys: their text, or the name of the class where a key is one
 */
public record AllowedKeys(Propagation propagation, Set<String> names) implements Predicate<Object> {

    /** The keys of Micrometer's observations, of its tracing, and of the accessor of the logging context. */
    private static final List<String> OBSERVABILITY =
            List.of("micrometer.observation", "micrometer.tracing", "cp.slf4j");

    /** What goes along whatever the names of the keys. */
    public enum Propagation {
        /** Observation, tracing and the logging context. */
        OBSERVABILITY,
        /** Everything that has an accessor; a leader's identity too. */
        ALL,
        /** Nothing but the keys that are named. */
        NONE
    }

    /** Copies the names. */
    public AllowedKeys {
        names = Set.copyOf(names);
    }

    @Override
    public boolean test(Object key) {
        if (propagation == Propagation.ALL) {
            return true;
        }
        String text = key instanceof Class<?> type ? type.getName() : String.valueOf(key);
        return names.contains(text)
                || propagation == Propagation.OBSERVABILITY
                        && OBSERVABILITY.stream().anyMatch(text::startsWith);
    }

    /** Whether the logging context goes along as a whole. */
    boolean logging() {
        return propagation != Propagation.NONE;
    }

    /** Whether no key goes along, whatever it is. */
    boolean nothing() {
        return propagation == Propagation.NONE && names.isEmpty();
    }
}
