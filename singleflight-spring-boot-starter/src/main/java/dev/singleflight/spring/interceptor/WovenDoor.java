package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Takes calls that the woven aspect has caught, and lets those pass that a proxy has dealt with. */
public final class WovenDoor {

    private final AnnotatedMethods methods;

    /**
     * Creates the door of an application context.
     *
     * @param methods the annotated methods of the context
     */
    public WovenDoor(AnnotatedMethods methods) {
        this.methods = methods;
        ProxyPass.needed = true;
    }

    /** The method itself. */
    @FunctionalInterface
    public interface Body {

        /**
         * Runs it; any number of times, on any thread.
         *
         * @return its result
         * @throws Throwable what it throws
         */
        @Nullable
        Object run() throws Throwable;
    }

    /**
     * Takes a call.
     *
     * @param method the method
     * @param target the object it is called on
     * @param args the arguments
     * @param body the method itself
     * @return what the caller gets
     * @throws Throwable what the method throws, or the engine
     */
    public @Nullable Object call(Method method, Object target, @Nullable Object[] args, Body body) throws Throwable {
        MethodAdvice advice = ProxyPass.use(target, method) ? null : methods.find(method, target.getClass());
        if (advice == null) {
            return body.run();
        }
        FlightPlan flight = advice.flight();
        if (advice.forgets().isEmpty()) {
            return fly(flight, target, args, body);
        }
        return methods.forgetting(advice, method, target, args).after(fly(flight, target, args, body));
    }

    private static @Nullable Object fly(@Nullable FlightPlan flight, Object target, @Nullable Object[] args, Body body)
            throws Throwable {
        return flight == null ? body.run() : flight.run(new WovenCall(flight, target, args, body, null));
    }

    private static final class WovenCall extends FlightCall {

        private final Body body;

        WovenCall(FlightPlan plan, Object target, @Nullable Object[] args, Body body, @Nullable Object reactorContext) {
            super(plan, target, args, reactorContext);
            this.body = body;
        }

        @Override
        FlightCall again(Object subscribersContext) {
            return new WovenCall(plan, target, args, body, subscribersContext);
        }

        @Override
        @Nullable
        Object proceed() throws Throwable {
            return body.run();
        }

        @Override
        @Nullable
        Object proceedAgain() throws Throwable {
            return body.run();
        }
    }
}
