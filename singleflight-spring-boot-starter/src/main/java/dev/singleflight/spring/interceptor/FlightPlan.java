package dev.singleflight.spring.interceptor;

import dev.singleflight.OperationSettings;
import java.lang.reflect.Method;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Everything that can be known of an annotated method before it is called. */
final class FlightPlan {

    private static final Log LOGGER = LogFactory.getLog(FlightPlan.class);

    final Method method;
    final Class<?> targetClass;
    final String name;
    final OperationSettings settings;
    final ResultStyle results;

    private final Operations operations;
    private final KeySource key;
    private final @Nullable CallExpression condition;
    private final @Nullable CallExpression cacheUnless;
    private final ContextBeans context;

    FlightPlan(
            Method method,
            Class<?> targetClass,
            String name,
            OperationSettings settings,
            ResultStyle results,
            Operations operations,
            KeySource key,
            @Nullable CallExpression condition,
            @Nullable CallExpression cacheUnless,
            ContextBeans context) {
        this.method = method;
        this.targetClass = targetClass;
        this.name = name;
        this.settings = settings;
        this.results = results;
        this.operations = operations;
        this.key = key;
        this.condition = condition;
        this.cacheUnless = cacheUnless;
        this.context = context;
    }

    /** Makes the operation known to the engine before anybody calls it. */
    void announce() {
        operations.announce();
    }

    @Nullable
    Object run(FlightCall call) throws Throwable {
        if (condition != null && !condition.isTrue(call.root(), null)) {
            return call.proceed();
        }
        return results.call(operations.of(call.target), call);
    }

    Object keyOf(FlightCall call) {
        return context.scoped(key.keyOf(call), method, call.target, call.args);
    }

    @Nullable
    CarriedContext capture(@Nullable Object reactorContext) {
        return context.capture(name, reactorContext);
    }

    /** Nobody can be told that the expression fails: callers have their value all the same. */
    boolean isNotRetained(FlightCall call, @Nullable Object result) {
        if (cacheUnless == null) {
            return false;
        }
        try {
            return cacheUnless.isTrue(call.root(), ResultStyle.unwrapped(result));
        } catch (RuntimeException failed) {
            LOGGER.warn("A value was not retained: " + failed.getMessage(), failed);
            return true;
        }
    }
}
