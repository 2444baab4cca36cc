package dev.singleflight.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Forgets once a call has succeeded: at its return, or where a transaction is active at its commit; for a future or a
 * publisher at its completion, before anybody sees the result.
 */
final class Forgetting {

    private static final boolean TRANSACTIONS =
            isPresent("org.springframework.transaction.support.TransactionSynchronizationManager");
    private static final boolean REACTOR = isPresent("reactor.core.publisher.Mono");

    private final List<ForgetPlan> plans;
    private final CallRoot call;
    private final @Nullable List<@Nullable Object> parts;

    Forgetting(List<ForgetPlan> plans, CallRoot call, @Nullable List<@Nullable Object> parts) {
        this.plans = plans;
        this.call = call;
        this.parts = parts;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, Forgetting.class.getClassLoader());
    }

    /** Returns what the caller gets in place of the result. */
    @Nullable
    Object after(@Nullable Object result) {
        if (result instanceof CompletionStage<?> stage) {
            return afterCompletion(stage);
        }
        if (REACTOR && result != null) {
            Object publisher = ReactorForgetting.after(this, result);
            if (publisher != null) {
                return publisher;
            }
        }
        forget(result, Forgetting::atCommit);
        return result;
    }

    private static void atCommit(Runnable forget) {
        if (!TRANSACTIONS || !AfterCommit.registered(forget)) {
            forget.run();
        }
    }

    /** Forgets now, with the value of a future or a publisher that has completed. */
    void completed(@Nullable Object value) {
        forget(value, Runnable::run);
    }

    /** A key that cannot be evaluated is thrown in the end: the method has succeeded, and the other keys go. */
    private void forget(@Nullable Object result, Consumer<Runnable> when) {
        List<Runnable> prepared = new ArrayList<>(plans.size());
        try {
            ForAll.run(plans, plan -> prepared.add(plan.prepare(call, parts, result)));
        } finally {
            when.accept(() -> prepared.forEach(Runnable::run));
        }
    }

    /** A future of its own, since one derived from the other would show failures wrapped and not pass a cancellation on. */
    private CompletableFuture<Object> afterCompletion(CompletionStage<?> stage) {
        CompletableFuture<Object> after = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                after.completeExceptionally(failure);
                return;
            }
            try {
                completed(value);
                after.complete(value);
            } catch (Throwable keyFailed) {
                after.completeExceptionally(keyFailed);
            }
        });
        after.whenComplete((value, failure) -> {
            if (after.isCancelled() && stage instanceof CompletableFuture<?> future) {
                future.cancel(true);
            }
        });
        return after;
    }
}
