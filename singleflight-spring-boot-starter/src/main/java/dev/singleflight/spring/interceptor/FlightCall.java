package dev.singleflight.spring.interceptor;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call of an annotated method: the parameter of its operation. If it leads, its arguments are those of the flight. */
abstract class FlightCall {

    final FlightPlan plan;
    final Object target;
    final @Nullable Object[] args;

    /** The subscriber's, where the method returns a publisher. */
    private final @Nullable Object reactorContext;

    /** Written on the leader's thread before its first attempt is handed over. */
    private @Nullable CarriedContext carried;

    FlightCall(FlightPlan plan, Object target, @Nullable Object[] args, @Nullable Object reactorContext) {
        this.plan = plan;
        this.target = target;
        this.args = args;
        this.reactorContext = reactorContext;
    }

    /** The same call for a subscriber of its own. */
    abstract FlightCall again(Object subscribersContext);

    /** Runs the method as if it were not annotated, on the thread of its caller. */
    abstract @Nullable Object proceed() throws Throwable;

    /** Runs the method for an attempt; there may be several, and each may be on another thread. */
    abstract @Nullable Object proceedAgain() throws Throwable;

    final CallRoot root() {
        return new CallRoot(plan.method, target, plan.targetClass, args);
    }

    @Nullable
    final CarriedContext carried() {
        return carried;
    }

    // --- what the definition of the operation refers to

    final Object key() {
        return plan.keyOf(this);
    }

    final void lead() {
        carried = plan.capture(reactorContext);
    }

    final @Nullable Object attempt() throws Throwable {
        CarriedContext leaders = carried;
        if (leaders == null) {
            return proceedAgain();
        }
        CarriedContext.Scope scope = leaders.open();
        try {
            return proceedAgain();
        } finally {
            scope.close();
        }
    }

    /** Starts an attempt of a method whose result comes later. */
    final CompletionStage<?> start() throws Throwable {
        CarriedContext leaders = carried;
        CarriedContext.Scope scope = leaders == null ? () -> {} : leaders.open();
        try {
            CompletionStage<?> stage = plan.results.stageOf(proceedAgain(), this);
            if (stage == null) {
                throw new NullPointerException(MethodNames.of(plan.method, plan.targetClass)
                        + " returned null instead of a future or publisher");
            }
            return stage;
        } finally {
            scope.close();
        }
    }

    final void settled(@Nullable Throwable failure) {
        CarriedContext leaders = carried;
        if (leaders != null) {
            leaders.settled(failure);
        }
    }

    final boolean isNotRetained(@Nullable Object result) {
        return plan.isNotRetained(this, result);
    }
}
