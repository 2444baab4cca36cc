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
        FlightPlan plan = target == null ? null : methods.find(invocation.getMethod(), target.getClass());
        return target == null || plan == null
                ? invocation.proceed()
                : plan.run(new ProxyCall(plan, target, invocation));
    }
}
