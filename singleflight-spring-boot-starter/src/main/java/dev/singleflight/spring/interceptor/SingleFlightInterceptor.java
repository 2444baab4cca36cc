package dev.singleflight.spring.interceptor;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Hands calls of annotated methods that come through a proxy to the engine. */
final class SingleFlightInterceptor implements MethodInterceptor {

    private final AnnotatedMethods methods;

    SingleFlightInterceptor(AnnotatedMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        MethodAdvice advice = target == null ? null : methods.find(invocation.getMethod(), target.getClass());
        if (target == null || advice == null) {
            return invocation.proceed();
        }
        FlightPlan flight = advice.flight();
        if (advice.forgets().isEmpty()) {
            return fly(flight, target, invocation);
        }
        Forgetting forgetting = methods.forgetting(advice, invocation.getMethod(), target, invocation.getArguments());
        return forgetting.after(fly(flight, target, invocation));
    }

    private static @Nullable Object fly(@Nullable FlightPlan flight, Object target, MethodInvocation invocation)
            throws Throwable {
        return flight == null ? invocation.proceed() : flight.run(new ProxyCall(flight, target, invocation, null));
    }
}
