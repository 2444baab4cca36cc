package dev.singleflight.spring.aspectj;

import dev.singleflight.spring.annotation.SingleFlight;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/** Woven by {@link CompileTimeWeavingTest}, and then loaded by a class loader of its own. */
public class CompiledUsers implements LongFunction<String> {

    @Override
    public String apply(long userId) {
        try {
            return profile(userId);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @SingleFlight
    private String profile(long userId) throws InterruptedException {
        Gate.EXECUTIONS.incrementAndGet();
        Gate.OPEN.await();
        return "user " + userId;
    }

    /** Not woven, and the same for the test. */
    public static class Gate {

        public static final CountDownLatch OPEN = new CountDownLatch(1);
        public static final AtomicInteger EXECUTIONS = new AtomicInteger();
    }
}
