package dev.singleflight.spring.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/** A call that came through a proxy. */
final class ProxyCall extends FlightCall {

    private final MethodInvocation invocation;

    ProxyCall(FlightPlan plan, Object target, MethodInvocation invocation, @Nullable Object reactorContext) {
        super(plan, target, invocation.getArguments(), reactorContext);
        this.invocation = invocation;
    }

    @Override
    FlightCall again(Object subscribersContext) {
        return new ProxyCall(plan, target, invocation, subscribersContext);
    }

    @Override
    @Nullable
    Object proceed() throws Throwable {
        return ProxyPass.with(target, plan.method, invocation::proceed);
    }

    /**
     * Each attempt walks the rest of the interceptors from the same place. Those that are written in AspectJ's style ask
     * the thread for the invocation.
     */
    @Override
    @Nullable
    Object proceedAgain() throws Throwable {
        return ProxyPass.with(target, plan.method, this::proceedFromHere);
    }

    private @Nullable Object proceedFromHere() throws Throwable {
        return invocation instanceof ProxyMethodInvocation proxied
                ? ExposeInvocationInterceptor.INSTANCE.invoke(proxied.invocableClone())
                : invocation.proceed();
    }
}
