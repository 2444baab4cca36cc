package dev.singleflight.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Adds a part to the key of every annotated call: a tenant, a principal, a locale. Calls whose parts differ never share
 * a flight. Every bean of this type is asked, in order, on the thread of the caller.
 */
@FunctionalInterface
public interface SingleFlightKeyContributor {

    /**
     * Returns what tells this call from others that have the same key.
     *
     * @param method the annotated method
     * @param target the object it is called on
     * @param arguments the arguments; not to be changed
     * @return a value with {@code equals} and {@code hashCode}, or null for nothing; arrays count by content
     */
    @Nullable
    Object contribute(Method method, Object target, @Nullable Object[] arguments);
}
