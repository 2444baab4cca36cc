package dev.singleflight;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The engine's listeners, and the log of what user code throws where no caller can be told. A failing listener is logged once. */
final class Listeners {

    private static final System.Logger LOGGER = System.getLogger(FlightListener.class.getName());

    private final FlightListener[] listeners;

    /** Whether a failure of the listener at that place was logged. */
    private final AtomicBoolean[] failed;

    Listeners(List<FlightListener> listeners) {
        this.listeners = listeners.toArray(FlightListener[]::new);
        this.failed = listeners.stream().map(listener -> new AtomicBoolean()).toArray(AtomicBoolean[]::new);
    }

    /** Asked before an event is built, so that an engine without listeners pays for none. */
    boolean any() {
        return listeners.length > 0;
    }

    void tell(Consumer<FlightListener> event) {
        for (int i = 0; i < listeners.length; i++) {
            try {
                event.accept(listeners[i]);
            } catch (Throwable thrown) {
                if (failed[i].compareAndSet(false, true)) {
                    LOGGER.log(
                            Level.WARNING,
                            "A listener failed; further failures are not logged: " + listeners[i].getClass(),
                            thrown);
                }
            }
        }
    }

    /** A callback of {@code send} has nobody to throw to. */
    void callbackFailed(String operation, Throwable thrown) {
        LOGGER.log(Level.WARNING, "The callback of a send to operation '" + operation + "' failed", thrown);
    }
}
