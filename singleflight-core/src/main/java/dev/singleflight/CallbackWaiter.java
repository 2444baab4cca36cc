package dev.singleflight;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A caller that is told of successes only. */
final class CallbackWaiter<R extends @Nullable Object> extends AsyncWaiter {

    private final Consumer<? super R> callback;

    CallbackWaiter(Operation<?, ?> operation, Flight flight, Role role, long start, Consumer<? super R> callback) {
        super(operation, flight, role, start);
        this.callback = callback;
    }

    @Override
    void deliver(@Nullable Object result) {
        if (!(result instanceof Failure)) {
            deliver(operation, callback, result);
        }
    }

    /** Runs the callback once on the executor; in place where that rejects it. */
    static <R extends @Nullable Object> void deliver(
            Operation<?, ?> operation, Consumer<? super R> callback, @Nullable Object value) {
        AtomicBoolean called = new AtomicBoolean(); // some executors run what they reject, or run it twice
        Runnable call = () -> {
            if (!called.compareAndSet(false, true)) {
                return;
            }
            try {
                callback.accept(Casts.unchecked(value));
            } catch (Throwable thrown) {
                operation.engine.listeners.callbackFailed(operation.name(), thrown);
            }
        };
        try {
            operation.engine.executor.execute(call);
        } catch (Throwable rejected) {
            call.run();
        }
    }
}
