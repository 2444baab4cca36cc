package dev.singleflight;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of ad-hoc calls. They are made up by callers, perhaps without end, so only the first ones are kept, for
 * their figures; the figures of the rest add up under one name.
 */
final class AdHocOperations {

    static final int MAX_NAMES = 1000;
    static final String OTHER = "other";

    private final SingleFlightEngine engine;
    private final Map<String, Operation<Callable<?>, @Nullable Object>> kept = new ConcurrentHashMap<>();

    AdHocOperations(SingleFlightEngine engine) {
        this.engine = engine;
    }

    Operation<Callable<?>, @Nullable Object> named(String name) {
        Operation<Callable<?>, @Nullable Object> known = kept.get(name);
        if (known != null) {
            return known;
        }
        if (kept.size() >= MAX_NAMES) {
            return operation(name, OTHER);
        }
        Operation<Callable<?>, @Nullable Object> added =
                operation(name, name); // tells listeners: not under the map's lock
        Operation<Callable<?>, @Nullable Object> first = kept.putIfAbsent(name, added);
        return first == null ? added : first;
    }

    private Operation<Callable<?>, @Nullable Object> operation(String name, String countedAs) {
        OperationDefinition<Callable<?>, @Nullable Object> definition =
                OperationDefinition.of(name, work -> null, Callable::call);
        return new Operation<>(
                engine,
                definition,
                engine.keys.adHoc,
                engine.books(countedAs),
                engine.policy(name, OperationSettings.unset()));
    }
}
