package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Marks the stretch from a proxy's interceptor to the code of the method, so that the woven door lets that call pass. It
 * ends where the method's code begins (what that calls on {@code this} is a call of its own), and is there again for an
 * interceptor in between that runs the method once more.
 */
final class Passage {

    private static final ThreadLocal<@Nullable Passage> CURRENT = new ThreadLocal<>();

    private final Method method;
    private final Object target;

    private Passage(Method method, Object target) {
        this.method = method;
        this.target = target;
    }

    /** Goes on from a proxy. Costs nothing where no weaver has been. */
    static @Nullable Object through(Method method, Object target, Body rest) throws Throwable {
        return Weaving.touches(target.getClass()) ? with(new Passage(method, target), rest) : rest.run();
    }

    /** Whether the method that runs on this thread now was called through a proxy. */
    static boolean leadsTo(Method method, Object target) {
        Passage current = CURRENT.get();
        return current != null && current.target == target && current.method.equals(method);
    }

    /** Runs the code of the method, which is the end of the passage. */
    static @Nullable Object leave(Body code) throws Throwable {
        return with(null, code);
    }

    private static @Nullable Object with(@Nullable Passage passage, Body body) throws Throwable {
        Passage before = CURRENT.get();
        CURRENT.set(passage);
        try {
            return body.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
