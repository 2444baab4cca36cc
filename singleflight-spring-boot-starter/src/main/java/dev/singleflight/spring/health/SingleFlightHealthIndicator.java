package dev.singleflight.spring.health;

import dev.singleflight.EngineSnapshot;
import dev.singleflight.SingleFlightEngine;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Tells whether the engine can take another flight: out of service while it is saturated or stopped. */
public final class SingleFlightHealthIndicator extends AbstractHealthIndicator {

    private final SingleFlightEngine engine;

    /**
     * Creates the indicator.
     *
     * @param engine what it looks at
     */
    public SingleFlightHealthIndicator(SingleFlightEngine engine) {
        super("The engine of single flight could not be asked");
        this.engine = engine;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        EngineSnapshot snapshot = engine.snapshot();
        boolean saturated = snapshot.activeFlights() + snapshot.stuck() >= snapshot.maxFlights();
        boolean running = snapshot.state() == EngineSnapshot.State.RUNNING;
        (running && !saturated ? builder.up() : builder.outOfService())
                .withDetail("state", snapshot.state().name().toLowerCase(java.util.Locale.ROOT))
                .withDetail("activeFlights", snapshot.activeFlights())
                .withDetail("stuck", snapshot.stuck())
                .withDetail("maxFlights", snapshot.maxFlights());
    }
}
