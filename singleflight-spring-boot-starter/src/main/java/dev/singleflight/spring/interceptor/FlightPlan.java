package dev.singleflight.spring.interceptor;

import dev.singleflight.Operation;
import dev.singleflight.OperationSettings;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Everything that can be known of an annotated method before it is called. */
final class FlightPlan {

    final Method method;
    final Class<?> targetClass;
    final String name;
    final OperationSettings settings;
    final ResultStyle results;

    private final KeySource key;
    private final @Nullable CallExpression condition;
    private final ContextBeans context;
    private final TargetOperations operations;

    FlightPlan(
            Method method,
            Class<?> targetClass,
            String name,
            OperationSettings settings,
            ResultStyle results,
            KeySource key,
            @Nullable CallExpression condition,
            ContextBeans context) {
        this.method = method;
        this.targetClass = targetClass;
        this.name = name;
        this.settings = settings;
        this.results = results;
        this.key = key;
        this.condition = condition;
        this.context = context;
        this.operations = new TargetOperations(this::bind);
    }

    void announce() {
        bind();
    }

    @Nullable
    Object run(FlightCall call) throws Throwable {
        if (condition != null && !condition.isTrue(call.root(), null)) {
            return call.proceed();
        }
        return results.call(operations.of(call.target), call);
    }

    Object keyOf(FlightCall call) {
        return context.scoped(key.keyOf(call), call);
    }

    private Operation<FlightCall, @Nullable Object> bind() {
        return context.engine().bind(results.define(name), settings);
    }
}
