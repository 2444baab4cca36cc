package dev.singleflight.spring.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/** A call that came through a proxy. */
final class ProxyCall extends FlightCall {

    private final MethodInvocation invocation;

    ProxyCall(FlightPlan plan, Object target, MethodInvocation invocation) {
        super(plan, target, invocation.getArguments());
        this.invocation = invocation;
    }

    @Override
    @Nullable
    Object proceed() throws Throwable {
        return invocation.proceed();
    }

    /**
     * Each attempt walks the rest of the interceptors from the same place. Those that are written in AspectJ's style ask
     * the thread for the invocation.
     */
    @Override
    @Nullable
    Object attempt() throws Throwable {
        return invocation instanceof ProxyMethodInvocation proxied
                ? ExposeInvocationInterceptor.INSTANCE.invoke(proxied.invocableClone())
                : invocation.proceed();
    }
}
