package dev.singleflight.spring.interceptor;

import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Methods that return a {@link Mono} or a {@link Flux}. Nothing happens before the subscription; each subscriber joins or
 * leads for itself, and a cancelled one leaves. What is shared and retained is the value, or the list of a flux.
 */
final class ReactorStyle extends ResultStyle {

    private static final ReactorStyle MONO = new ReactorStyle(false);
    private static final ReactorStyle FLUX = new ReactorStyle(true);

    private final boolean many;

    private ReactorStyle(boolean many) {
        this.many = many;
    }

    /** The style for a type, or null where it is neither of the two. */
    static @Nullable ReactorStyle of(Class<?> type) {
        return type == Mono.class ? MONO : type == Flux.class ? FLUX : null;
    }

    @Override
    OperationDefinition<FlightCall, @Nullable Object> define(String name) {
        return ResultStyle.STAGE.define(name);
    }

    @Override
    Object call(Operation<FlightCall, @Nullable Object> operation, FlightCall call) {
        Mono<Object> value = Mono.deferContextual(context -> {
            FlightCall subscriber = call.again(context);
            return Mono.fromFuture(() -> operation.callAsync(subscriber));
        });
        return many ? value.flatMapIterable(list -> (List<?>) list) : value;
    }

    @Override
    @Nullable
    CompletionStage<?> stageOf(@Nullable Object returned, FlightCall call) {
        if (returned == null) {
            return null;
        }
        Mono<?> value = many ? ((Flux<?>) returned).collectList() : (Mono<?>) returned;
        CarriedContext carried = call.carried();
        return (carried == null ? value : value.contextWrite(context -> carried.addTo(context))).toFuture();
    }
}
