package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Forgets when a publisher completes; apart from its callers because Reactor is optional. */
final class ReactorForgetting {

    private ReactorForgetting() {}

    /** Returns the publisher that forgets, or null where the result is none. */
    static @Nullable Object after(Forgetting forgetting, Object result) {
        if (result instanceof Mono<?> mono) {
            return mono.doOnSuccess(value -> forgetting.completed(value));
        }
        if (result instanceof Flux<?> flux) {
            return flux.doOnComplete(() -> forgetting.completed(null));
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
        return adapter == null
                ? null
                : adapter.fromPublisher(
                        Flux.from(adapter.toPublisher(result)).doOnComplete(() -> forgetting.completed(null)));
    }
}
