package dev.singleflight.spring.autoconfigure;

import dev.singleflight.EngineSnapshot;
import dev.singleflight.SingleFlightEngine;
import org.springframework.context.SmartLifecycle;

/**
 * Stops the engine after the web server has stopped taking requests, and before the beans are destroyed that flights may
 * need; starts it again, empty, where the context is paused and resumed.
 */
final class SingleFlightLifecycle implements SmartLifecycle {

    /** The web server ends its graceful shutdown 1024 below the default phase, and stops 2048 below it. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private final SingleFlightEngine engine;

    SingleFlightLifecycle(SingleFlightEngine engine) {
        this.engine = engine;
    }

    @Override
    public void start() {
        engine.start();
    }

    @Override
    public void stop() {
        engine.stop();
    }

    @Override
    public boolean isRunning() {
        return engine.snapshot().state() == EngineSnapshot.State.RUNNING;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
