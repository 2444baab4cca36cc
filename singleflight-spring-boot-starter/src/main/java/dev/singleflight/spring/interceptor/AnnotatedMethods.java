package dev.singleflight.spring.interceptor;

import dev.singleflight.OperationSettings;
import dev.singleflight.spring.annotation.SingleFlight;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** What the annotations say of the methods of an application context, read once for each method of each class. */
public final class AnnotatedMethods {

    private final ContextBeans context;
    private final Expressions expressions;

    /** By the method as it is called, perhaps an interface's. */
    private final Map<MethodClassKey, Optional<FlightPlan>> called = new ConcurrentHashMap<>();

    /** By the method that runs. */
    private final Map<AnnotatedElementKey, FlightPlan> plans = new ConcurrentHashMap<>();

    /**
     * Creates an empty collection.
     *
     * @param beans where expressions and placeholders are resolved, and calls find their engine
     */
    public AnnotatedMethods(BeanFactory beans) {
        this.context = new ContextBeans(beans);
        this.expressions = new Expressions(beans);
    }

    /**
     * Returns what the annotations of an operation say.
     *
     * @param operation the name
     * @return the settings of the first method that was found to bear the name; nothing set where none does
     */
    public OperationSettings settingsOf(String operation) {
        return plans.values().stream()
                .filter(plan -> plan.name.equals(operation))
                .findFirst()
                .map(plan -> plan.settings)
                .orElse(OperationSettings.unset());
    }

    /** Reads every method of a class, inherited ones too. */
    void readAll(Class<?> type) {
        if (AnnotationUtils.isCandidateClass(type, SingleFlight.class)) {
            ReflectionUtils.doWithMethods(type, method -> find(method, type));
        }
    }

    /** Makes every operation that was found known to the engine, before anybody calls it. */
    void announce() {
        plans.values().forEach(FlightPlan::announce);
    }

    @Nullable
    FlightPlan find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<FlightPlan> known = called.get(key);
        if (known == null) {
            known = Optional.ofNullable(read(method, ClassUtils.getUserClass(targetClass)));
            called.put(key, known);
        }
        return known.orElse(null);
    }

    private @Nullable FlightPlan read(Method method, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        SingleFlight annotation = annotation(method, specific);
        if (annotation == null) {
            return null;
        }
        return plans.computeIfAbsent(
                new AnnotatedElementKey(specific, targetClass), first -> plan(specific, targetClass, annotation));
    }

    /** The annotation nearest to the method that runs: its own, its class's, then those of the method that is called. */
    private static @Nullable SingleFlight annotation(Method called, Method specific) {
        SingleFlight nearest = AnnotatedElementUtils.findMergedAnnotation(specific, SingleFlight.class);
        if (nearest == null && Modifier.isPublic(specific.getModifiers())) {
            nearest = AnnotatedElementUtils.findMergedAnnotation(specific.getDeclaringClass(), SingleFlight.class);
        }
        if (nearest == null && called != specific) {
            nearest = AnnotatedElementUtils.findMergedAnnotation(called, SingleFlight.class);
            if (nearest == null) {
                nearest = AnnotatedElementUtils.findMergedAnnotation(called.getDeclaringClass(), SingleFlight.class);
            }
        }
        return nearest;
    }

    private FlightPlan plan(Method method, Class<?> targetClass, SingleFlight annotation) {
        String where = MethodNames.of(method, targetClass);
        String annotated = "@SingleFlight on " + where;
        Map<String, Integer> positions = MethodNames.ofArguments(method, targetClass);
        String condition = context.resolved(annotation.condition());
        return new FlightPlan(
                method,
                targetClass,
                MethodNames.ofOperation(method, targetClass),
                new AnnotationSettings(where, context::resolved).of(annotation),
                CompletionStage.class.isAssignableFrom(method.getReturnType()) ? ResultStyle.STAGE : ResultStyle.VALUE,
                KeySource.of(
                        context.resolved(annotation.key()),
                        annotated,
                        method.getParameterCount(),
                        positions,
                        expressions),
                condition.isEmpty() ? null : expressions.parse(annotated, "condition", condition, positions, false),
                context);
    }
}
