package dev.singleflight.spring.context;

import dev.singleflight.spring.interceptor.CarriedContext;
import dev.singleflight.spring.interceptor.ContextCarrier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Carries allowed keys from the Reactor context of the subscriber that leads to the publishers of the attempts. */
public final class ReactorCarrier implements ContextCarrier {

    private final AllowedKeys allowed;

    /**
     * Creates the carrier.
     *
     * @param allowed the keys that go along
     */
    public ReactorCarrier(AllowedKeys allowed) {
        this.allowed = allowed;
    }

    @Override
    public @Nullable CarriedContext capture(String operation, @Nullable Object reactorContext) {
        if (!(reactorContext instanceof ContextView subscribers)) {
            return null;
        }
        Context[] carried = {Context.empty()};
        subscribers.forEach((key, value) -> {
            if (allowed.test(key)) {
                carried[0] = carried[0].put(key, value);
            }
        });
        return carried[0].isEmpty() ? null : new Carried(carried[0]);
    }

    private record Carried(Context values) implements CarriedContext {

        @Override
        public Scope open() {
            return () -> {};
        }

        @Override
        @SuppressWarnings("unchecked")
        public <C> C addTo(C context) {
            return (C) ((Context) context).putAll(values.readOnly());
        }
    }
}
