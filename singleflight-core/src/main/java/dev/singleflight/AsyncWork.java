package dev.singleflight;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Work that returns at once and completes later, holding no thread of the engine meanwhile.
 *
 * @param <P> type of the parameter
 * @param <R> type of the result; null is a result like any other
 */
@FunctionalInterface
public interface AsyncWork<P extends @Nullable Object, R extends @Nullable Object> {

    /**
     * Starts one attempt. On a timeout or abandonment the stage is cancelled.
     *
     * @param parameter the parameter of the caller that started the flight
     * @return a stage that completes the attempt; null is a failed attempt
     * @throws Throwable anything; it is a failed attempt
     */
    CompletionStage<? extends R> start(P parameter) throws Throwable;
}
