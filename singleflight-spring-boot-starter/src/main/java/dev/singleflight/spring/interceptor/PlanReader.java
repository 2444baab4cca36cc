package dev.singleflight.spring.interceptor;

import dev.singleflight.OperationSettings;
import dev.singleflight.spring.annotation.SingleFlight;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a plan of an annotation, and refuses what cannot work. */
final class PlanReader {

    private final ContextBeans context;
    private final Expressions expressions;
    private final SharedOperations shared;

    PlanReader(ContextBeans context, Expressions expressions) {
        this.context = context;
        this.expressions = expressions;
        this.shared = new SharedOperations(context);
    }

    FlightPlan read(Method method, Class<?> targetClass, SingleFlight annotation) {
        String where = "@SingleFlight on " + MethodNames.of(method, targetClass);
        Map<String, Integer> positions = MethodNames.ofArguments(method, targetClass);
        OperationSettings settings = new AnnotationSettings(where, context::resolved).of(annotation);
        ResultStyle results = ResultTypes.styleOf(where, method, targetClass);
        String explicit = context.resolved(annotation.operation()).strip();
        String name = explicit.isEmpty() ? MethodNames.ofOperation(method, targetClass) : explicit;
        Operations operations;
        if (explicit.isEmpty()) {
            operations = new TargetOperations(() -> context.engine().bind(results.define(name), settings));
        } else if (explicit.indexOf('/') >= 0) {
            throw new InvalidSingleFlightException(
                    where + ": operation = \"" + explicit + "\" has a '/', which no name may have",
                    "Write it without '/'");
        } else {
            operations = shared.share(explicit, method, targetClass, results, settings);
        }
        KeySource key = KeySource.of(
                context.resolved(annotation.key()), where, method.getParameterCount(), positions, expressions);
        return new FlightPlan(
                method,
                targetClass,
                name,
                settings,
                results,
                operations,
                key,
                expression(where, "condition", annotation.condition(), positions, false),
                expression(where, "cacheUnless", annotation.cacheUnless(), positions, true),
                context);
    }

    private @Nullable CallExpression expression(
            String where, String attribute, String text, Map<String, Integer> positions, boolean withResult) {
        String resolved = context.resolved(text);
        return resolved.isBlank() ? null : expressions.parse(where, attribute, resolved, positions, withResult);
    }
}
