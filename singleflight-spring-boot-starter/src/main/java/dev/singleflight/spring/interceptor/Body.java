package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;

/** What runs when a call goes on: the rest of the interceptors, or the method's own code. */
@FunctionalInterface
public interface Body {

    /**
     * Runs it.
     *
     * @return what the method returns
     * @throws Throwable what the method throws
     */
    @Nullable
    Object run() throws Throwable;
}
