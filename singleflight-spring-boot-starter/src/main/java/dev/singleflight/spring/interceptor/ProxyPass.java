package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Tells the woven aspect that a call came through the proxy, which has dealt with it: without that it would be
 * intercepted twice. Good for one arrival at the method, so that what the method itself calls is not let through.
 */
final class ProxyPass {

    private static final ThreadLocal<@Nullable ProxyPass> CURRENT = new ThreadLocal<>();

    /** Whether there is an aspect at all; without one, passes cost nothing. */
    static volatile boolean needed;

    private final Object target;
    private final Method method;
    private boolean used;

    private ProxyPass(Object target, Method method) {
        this.target = target;
        this.method = method;
    }

    /** The way on from the proxy. */
    @FunctionalInterface
    interface Way {
        @Nullable
        Object proceed() throws Throwable;
    }

    static @Nullable Object with(Object target, Method method, Way way) throws Throwable {
        if (!needed) {
            return way.proceed();
        }
        ProxyPass outer = CURRENT.get();
        CURRENT.set(new ProxyPass(target, method));
        try {
            return way.proceed();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /** Whether this arrival at a method is the one that a proxy has let through. */
    static boolean use(Object target, Method method) {
        ProxyPass pass = CURRENT.get();
        if (pass == null || pass.used || pass.target != target || !pass.method.equals(method)) {
            return false;
        }
        pass.used = true;
        return true;
    }
}
