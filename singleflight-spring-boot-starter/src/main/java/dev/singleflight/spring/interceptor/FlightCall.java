package dev.singleflight.spring.interceptor;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call of an annotated method: the parameter of its operation. If it leads, its arguments are those of the flight. */
abstract class FlightCall {

    final FlightPlan plan;
    final Object target;
    final @Nullable Object[] args;

    FlightCall(FlightPlan plan, Object target, @Nullable Object[] args) {
        this.plan = plan;
        this.target = target;
        this.args = args;
    }

    final Object key() {
        return plan.keyOf(this);
    }

    final CallRoot root() {
        return new CallRoot(plan.method, target, plan.targetClass, args);
    }

    /** Runs the method as if it were not annotated, on the thread of its caller. */
    abstract @Nullable Object proceed() throws Throwable;

    /** Runs an attempt; there may be several, and each may be on another thread. */
    abstract @Nullable Object attempt() throws Throwable;

    /** Starts an attempt of a method whose result comes later. */
    final CompletionStage<?> start() throws Throwable {
        CompletionStage<?> stage = plan.results.stageOf(attempt(), this);
        if (stage == null) {
            throw new NullPointerException(
                    MethodNames.of(plan.method, plan.targetClass) + " returned null instead of a future or publisher");
        }
        return stage;
    }
}
