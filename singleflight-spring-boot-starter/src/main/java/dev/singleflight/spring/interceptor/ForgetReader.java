package dev.singleflight.spring.interceptor;

import dev.singleflight.spring.annotation.ForgetFlight;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Makes plans of the {@code @ForgetFlight} annotations of a method, and refuses what cannot work. */
final class ForgetReader {

    private final ContextBeans context;
    private final Expressions expressions;

    ForgetReader(ContextBeans context, Expressions expressions) {
        this.context = context;
        this.expressions = expressions;
    }

    List<ForgetPlan> read(Method called, Method specific, Class<?> targetClass) {
        Set<ForgetFlight> annotations = annotations(specific);
        if (annotations.isEmpty() && called != specific) {
            annotations = annotations(called);
        }
        List<ForgetPlan> plans = new ArrayList<>(annotations.size());
        for (ForgetFlight annotation : annotations) {
            plans.add(plan(specific, targetClass, annotation));
        }
        return plans;
    }

    private static Set<ForgetFlight> annotations(Method method) {
        return AnnotatedElementUtils.findMergedRepeatableAnnotations(
                method, ForgetFlight.class, ForgetFlight.Container.class);
    }

    private ForgetPlan plan(Method method, Class<?> targetClass, ForgetFlight annotation) {
        String where = "@ForgetFlight on " + MethodNames.of(method, targetClass);
        String operation = context.resolved(annotation.operation()).strip();
        String key = context.resolved(annotation.key());
        if (operation.isEmpty()) {
            throw new InvalidSingleFlightException(where + " names no operation", "Set operation");
        }
        if (key.isBlank() != annotation.allKeys()) {
            throw new InvalidSingleFlightException(
                    where + (annotation.allKeys() ? " has both key and allKeys" : " has neither key nor allKeys"),
                    "Set either key or allKeys = true");
        }
        ResultTypes.checkCompletion(where, method, targetClass);
        return new ForgetPlan(
                where, operation, annotation.allKeys() ? null : key(where, key, method, targetClass), context);
    }

    private @Nullable CallExpression key(String where, String key, Method method, Class<?> targetClass) {
        return expressions.parse(where, "key", key, MethodNames.ofArguments(method, targetClass), true);
    }
}
