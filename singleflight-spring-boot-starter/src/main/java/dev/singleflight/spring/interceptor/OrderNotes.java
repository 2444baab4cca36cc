package dev.singleflight.spring.interceptor;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Tells of annotations that Spring always puts outermost, where every caller meets them before its flight. */
final class OrderNotes {

    private static final Log LOGGER = LogFactory.getLog(OrderNotes.class);

    private OrderNotes() {}

    static void log(MethodAdvice advice) {
        FlightPlan flight = advice.flight();
        if (flight == null) {
            return;
        }
        String where = MethodNames.of(flight.method, flight.targetClass);
        if (isAnnotated(flight.method, "org.springframework.resilience.annotation.Retryable")) {
            LOGGER.warn("@Retryable on " + where + " runs outside its @SingleFlight: every caller of a failed flight"
                    + " retries on its own. Use the retries of @SingleFlight instead");
        }
        if (isAnnotated(flight.method, "org.springframework.scheduling.annotation.Async")) {
            LOGGER.warn("@Async on " + where + " runs outside its @SingleFlight: every caller takes a thread to wait"
                    + " on. Leave @Async out; flights of methods that return a CompletableFuture run on workers");
        }
    }

    private static boolean isAnnotated(Method method, String annotation) {
        if (!ClassUtils.isPresent(annotation, OrderNotes.class.getClassLoader())) {
            return false;
        }
        Class<? extends Annotation> type = ClassUtils.resolveClassName(annotation, OrderNotes.class.getClassLoader())
                .asSubclass(Annotation.class);
        return AnnotatedElementUtils.hasAnnotation(method, type)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), type);
    }
}
