package dev.singleflight.spring.aspectj;

import dev.singleflight.spring.interceptor.WovenDoor;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * Catches the annotated methods that proxies cannot: those called on {@code this}, private and final ones, and those of
 * objects that are no beans. It is for AspectJ to weave, at load time through the {@code META-INF/aop.xml} beside it or
 * at compile time with this jar on the aspect path; it is no bean. Calls that came through a proxy pass it untouched.
 *
 * <p>There is one aspect for each class loader, and it serves the application context that was there first; methods run
 * plainly while there is none.
 */
@Aspect
public final class SingleFlightAspect {

    private static final SingleFlightAspect INSTANCE = new SingleFlightAspect();

    private SingleFlightAspect() {}

    /**
     * Returns the aspect. Written out, as the compile-time weaver does not add it to aspects that another compiler made.
     *
     * @return the only instance
     */
    public static SingleFlightAspect aspectOf() {
        return INSTANCE;
    }

    /**
     * Says that there is an aspect.
     *
     * @return true
     */
    public static boolean hasAspect() {
        return true;
    }

    @Pointcut("execution(@dev.singleflight.spring.annotation.SingleFlight !static * *(..))"
            + " || execution(@(@dev.singleflight.spring.annotation.SingleFlight *) !static * *(..))"
            + " || execution(public !static * (@dev.singleflight.spring.annotation.SingleFlight *).*(..))"
            + " || execution(public !static * (@(@dev.singleflight.spring.annotation.SingleFlight *) *).*(..))")
    void flying() {}

    @Pointcut("execution(@dev.singleflight.spring.annotation.ForgetFlight !static * *(..))"
            + " || execution(@dev.singleflight.spring.annotation.ForgetFlight.Container !static * *(..))"
            + " || execution(@(@dev.singleflight.spring.annotation.ForgetFlight *) !static * *(..))")
    void forgetting() {}

    /**
     * Stands around every execution that may be annotated; what the annotations say is looked up as for proxies.
     *
     * @param execution the execution
     * @return what the caller gets
     * @throws Throwable what the method throws
     */
    @Around("flying() || forgetting()")
    public @Nullable Object around(ProceedingJoinPoint execution) throws Throwable {
        return WovenDoor.enter(
                ((MethodSignature) execution.getSignature()).getMethod(),
                execution.getThis(),
                execution.getArgs(),
                execution::proceed);
    }
}
