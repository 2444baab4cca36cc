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
        if (advice.forgets().isEmpty()) {
            return fly(advice, target, invocation);
        }
        Forgetting forgetting = methods.forgetting(advice, invocation.getMethod(), target, invocation.getArguments());
        return forgetting.after(fly(advice, target, invocation));
    }

    private static @Nullable Object fly(MethodAdvice advice, Object target, MethodInvocation invocation)
            throws Throwable {
        FlightPlan flight = advice.flight();
        return flight == null
                ? ProxyPass.with(target, advice.method(), invocation::proceed)
                : flight.run(new ProxyCall(flight, target, invocation, null));
    }
}
