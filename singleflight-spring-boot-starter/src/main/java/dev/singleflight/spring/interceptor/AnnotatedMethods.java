package dev.singleflight.spring.interceptor;

import dev.singleflight.OperationSettings;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private static final List<Class<? extends java.lang.annotation.Annotation>> ANNOTATIONS =
            List.of(SingleFlight.class, ForgetFlight.class);

    private final ContextBeans context;

    private final PlanReader flights;
    private final ForgetReader forgets;

    /** By the method as it is called, perhaps an interface's. */
    private final Map<MethodClassKey, Optional<MethodAdvice>> called = new ConcurrentHashMap<>();

    /** By the method that runs. */
    private final Map<AnnotatedElementKey, MethodAdvice> advice = new ConcurrentHashMap<>();

    /**
     * Creates an empty collection.
     *
     * @param beans where expressions and placeholders are resolved, and calls find their engine
     */
    public AnnotatedMethods(BeanFactory beans) {
        this.context = new ContextBeans(beans);
        Expressions expressions = new Expressions(beans);
        this.flights = new PlanReader(context, expressions);
        this.forgets = new ForgetReader(context, expressions);
    }

    /**
     * Returns what the annotations of an operation say.
     *
     * @param operation the name
     * @return the settings of the first method that was found to bear the name; nothing set where none does
     */
    public OperationSettings settingsOf(String operation) {
        return advice.values().stream()
                .map(MethodAdvice::flight)
                .filter(plan -> plan != null && plan.name.equals(operation))
                .findFirst()
                .map(plan -> plan.settings)
                .orElse(OperationSettings.unset());
    }

    /** What was found so far. */
    Collection<MethodAdvice> all() {
        return advice.values();
    }

    /** What was found for objects of a class. */
    List<MethodAdvice> of(Class<?> type) {
        return advice.values().stream()
                .filter(read -> read.targetClass() == type)
                .toList();
    }

    ContextBeans context() {
        return context;
    }

    /** Whether methods of a class may be annotated at all. */
    static boolean isCandidate(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, ANNOTATIONS);
    }

    /** Reads every method of a class, inherited ones too. */
    void readAll(Class<?> type) {
        if (isCandidate(type)) {
            ReflectionUtils.doWithMethods(type, method -> find(method, type));
        }
    }

    @Nullable
    MethodAdvice find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<MethodAdvice> known = called.get(key);
        if (known == null) {
            known = Optional.ofNullable(read(method, ClassUtils.getUserClass(targetClass)));
            called.put(key, known);
        }
        return known.orElse(null);
    }

    /** Prepares to forget after a call; what contributors say is captured now, on the thread of the caller. */
    Forgetting forgetting(MethodAdvice advice, Method method, Object target, @Nullable Object[] args) {
        CallRoot call = new CallRoot(method, target, ClassUtils.getUserClass(target), args.clone());
        return new Forgetting(advice.forgets(), call, context.parts(method, target, args));
    }

    private @Nullable MethodAdvice read(Method method, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class
                || !method.getDeclaringClass().isAssignableFrom(targetClass)) {
            return null; // what a proxy adds is not the class's, though it inherits the annotations
        }
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        MethodAdvice known = advice.get(new AnnotatedElementKey(specific, targetClass));
        if (known != null) {
            return known;
        }
        SingleFlight annotation = annotation(method, specific);
        List<ForgetPlan> forgotten = forgets.read(method, specific, targetClass);
        if (annotation == null && forgotten.isEmpty()) {
            return null;
        }
        FlightPlan flight = annotation == null ? null : flights.read(specific, targetClass, annotation);
        MethodAdvice read = new MethodAdvice(specific, targetClass, flight, forgotten);
        MethodAdvice first = advice.putIfAbsent(new AnnotatedElementKey(specific, targetClass), read);
        return first == null ? read : first;
    }

    /** The annotation nearest to the method that runs: its own, its class's, then those of the method that is called. */
    private static @Nullable SingleFlight annotation(Method called, Method specific) {
        SingleFlight nearest = AnnotatedElementUtils.findMergedAnnotation(specific, SingleFlight.class);
        boolean classToo = Modifier.isPublic(specific.getModifiers())
                && !Modifier.isStatic(specific.getModifiers())
                && !ReflectionUtils.isObjectMethod(specific);
        if (nearest == null && classToo) {
            nearest = AnnotatedElementUtils.findMergedAnnotation(specific.getDeclaringClass(), SingleFlight.class);
        }
        if (nearest == null && called != specific) {
            nearest = AnnotatedElementUtils.findMergedAnnotation(called, SingleFlight.class);
            if (nearest == null && classToo) {
                nearest = AnnotatedElementUtils.findMergedAnnotation(called.getDeclaringClass(), SingleFlight.class);
            }
        }
        return nearest;
    }
}
