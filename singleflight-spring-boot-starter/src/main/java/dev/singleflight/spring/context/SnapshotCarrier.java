package dev.singleflight.spring.context;

import dev.singleflight.spring.interceptor.CarriedContext;
import dev.singleflight.spring.interceptor.ContextCarrier;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;

/** Carries what the accessors of context-propagation give, as far as their keys are allowed. */
public final class SnapshotCarrier implements ContextCarrier {

    private final AllowedKeys allowed;
    private final ContextSnapshotFactory snapshots;

    /**
     * Creates the carrier.
     *
     * @param allowed the keys that go along
     */
    public SnapshotCarrier(AllowedKeys allowed) {
        this.allowed = allowed;
        this.snapshots =
                ContextSnapshotFactory.builder().captureKeyPredicate(allowed).build();
    }

    @Override
    public @Nullable CarriedContext capture(String operation, @Nullable Object reactorContext) {
        if (allowed.nothing()) {
            return null;
        }
        ContextSnapshot snapshot =
                reactorContext == null ? snapshots.captureAll() : snapshots.captureAll(reactorContext);
        return new CarriedContext() {

            @Override
            public Scope open() {
                return snapshot.setThreadLocals()::close;
            }

            @Override
            public <C> C addTo(C context) {
                return snapshot.updateContext(context);
            }
        };
    }
}
