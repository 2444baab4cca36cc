package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about the calls of a method.
 *
 * @param method the method that runs
 * @param targetClass the class of the objects it is called on
 * @param flight how it flies; null where it does not
 * @param forgets what it forgets after success
 */
record MethodAdvice(
        Method method, Class<?> targetClass, @Nullable FlightPlan flight, List<ForgetPlan> forgets) {

    /** How messages call the annotation. */
    String annotation() {
        return flight == null ? "@ForgetFlight" : "@SingleFlight";
    }
}
