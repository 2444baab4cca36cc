package dev.singleflight.spring.interceptor;

import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationSettings;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** The operations that annotations name: one identity for each name, whatever the methods and beans that bear it. */
final class SharedOperations {

    private final ContextBeans context;
    private final Map<String, Shared> named = new ConcurrentHashMap<>();

    SharedOperations(ContextBeans context) {
        this.context = context;
    }

    /** Adds a method to those that bear the name; each keeps its own settings, and all share their keys. */
    Operations share(
            String name, Method method, Class<?> targetClass, ResultStyle results, OperationSettings settings) {
        String where = MethodNames.of(method, targetClass);
        String type = typeOf(method, targetClass);
        Shared shared = named.computeIfAbsent(name, first -> new Shared(results.define(name), type, where));
        if (!shared.resultType.equals(type)) {
            throw new InvalidSingleFlightException(
                    "Operation '" + name + "' has two result types: " + shared.resultType + " on " + shared.where
                            + ", and " + type + " on " + where,
                    "Give one of the two another operation name, or let both return the same type");
        }
        return new Bound(shared.definition, settings);
    }

    private static String typeOf(Method method, Class<?> targetClass) {
        Class<?> raw = method.getReturnType();
        return raw.isPrimitive()
                ? ClassUtils.resolvePrimitiveIfNecessary(raw).getName()
                : ResolvableType.forMethodReturnType(method, targetClass).toString();
    }

    private record Shared(
            OperationDefinition<FlightCall, @Nullable Object> definition, String resultType, String where) {}

    private final class Bound implements Operations {

        private final OperationDefinition<FlightCall, @Nullable Object> definition;
        private final OperationSettings settings;
        private volatile @Nullable Operation<FlightCall, @Nullable Object> operation;

        Bound(OperationDefinition<FlightCall, @Nullable Object> definition, OperationSettings settings) {
            this.definition = definition;
            this.settings = settings;
        }

        @Override
        public Operation<FlightCall, @Nullable Object> of(Object target) {
            Operation<FlightCall, @Nullable Object> known = operation;
            return known == null ? bind() : known;
        }

        private Operation<FlightCall, @Nullable Object> bind() {
            Operation<FlightCall, @Nullable Object> bound = context.engine().bind(definition, settings);
            operation = bound;
            return bound;
        }

        @Override
        public void announce() {
            bind();
        }
    }
}
