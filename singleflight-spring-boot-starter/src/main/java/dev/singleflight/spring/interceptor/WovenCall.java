package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;

/** A call that AspectJ has caught: only the method's own code is left to run. */
final class WovenCall extends FlightCall {

    private final Body code;

    WovenCall(FlightPlan plan, Object target, @Nullable Object[] args, Body code, @Nullable Object reactorContext) {
        super(plan, target, args, reactorContext);
        this.code = code;
    }

    @Override
    FlightCall again(Object subscribersContext) {
        return new WovenCall(plan, target, args, code, subscribersContext);
    }

    @Override
    @Nullable
    Object proceed() throws Throwable {
        return code.run();
    }

    @Override
    @Nullable
    Object proceedAgain() throws Throwable {
        return code.run();
    }
}
