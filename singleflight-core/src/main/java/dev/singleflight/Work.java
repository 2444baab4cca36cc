package dev.singleflight;

import org.jspecify.annotations.Nullable;

/**
 * The work of an operation: it runs once for all callers of a key, and again for each retry. It must not rely on the
 * calling thread (thread-locals, transactions) unless the operation runs on the leader.
 *
 * @param <P> type of the parameter
 * @param <R> type of the result; null is a result like any other
 */
@FunctionalInterface
public interface Work<P extends @Nullable Object, R extends @Nullable Object> {

    /**
     * Runs one attempt. On a timeout the thread is interrupted; work that ignores it keeps its thread and its permit.
     *
     * @param parameter the parameter of the caller that started the flight
     * @return the result for every caller of the flight
     * @throws Throwable anything; it is a failed attempt
     */
    R run(P parameter) throws Throwable;
}
