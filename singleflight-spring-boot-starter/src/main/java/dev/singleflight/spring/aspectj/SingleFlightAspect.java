package dev.singleflight.spring.aspectj;

import dev.singleflight.spring.interceptor.WovenDoor;
import java.util.concurrent.atomic.AtomicReference;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * Catches calls of annotated methods where they are woven: self-invocation, private and final methods, objects that are
 * no beans. There is one aspect for a class loader, so it serves the first application context that asks; without one,
 * methods run plainly. Never a bean: as one, Spring would make a proxy advice of it.
 */
@Aspect
public final class SingleFlightAspect {

    private static final AtomicReference<@Nullable WovenDoor> DOOR = new AtomicReference<>();

    /** Creates the aspect; the weaver does. */
    public SingleFlightAspect() {}

    /**
     * Lets the aspect serve an application context.
     *
     * @param door the engine's side of the context
     * @return false if it serves another one
     */
    public static boolean serve(WovenDoor door) {
        return DOOR.compareAndSet(null, door);
    }

    /**
     * Ends the service for a context.
     *
     * @param door what was given to {@link #serve}
     */
    public static void leave(WovenDoor door) {
        DOOR.compareAndSet(door, null);
    }

    /**
     * Whether a weaver has been at work on the aspect.
     *
     * @return false where the class is only on the class path
     */
    public static boolean isWoven() {
        try {
            SingleFlightAspect.class.getMethod("aspectOf");
            return true;
        } catch (NoSuchMethodException notWoven) {
            return false;
        }
    }

    /**
     * Flies an annotated method.
     *
     * @param point the call
     * @return what the caller gets
     * @throws Throwable what the method throws, or the engine
     */
    @Around("execution(@dev.singleflight.spring.annotation.SingleFlight * *(..))"
            + " || execution(@(@dev.singleflight.spring.annotation.SingleFlight *) * *(..))"
            + " || execution(public * (@dev.singleflight.spring.annotation.SingleFlight *).*(..))"
            + " || execution(public * (@(@dev.singleflight.spring.annotation.SingleFlight *) *).*(..))"
            + " || execution(@dev.singleflight.spring.annotation.ForgetFlight * *(..))"
            + " || execution(@dev.singleflight.spring.annotation.ForgetFlight.Container * *(..))"
            + " || execution(@(@dev.singleflight.spring.annotation.ForgetFlight *) * *(..))")
    public @Nullable Object around(ProceedingJoinPoint point) throws Throwable {
        WovenDoor door = DOOR.get();
        Object target = point.getThis();
        return door == null || target == null
                ? point.proceed()
                : door.call(
                        ((MethodSignature) point.getSignature()).getMethod(), target, point.getArgs(), point::proceed);
    }
}
