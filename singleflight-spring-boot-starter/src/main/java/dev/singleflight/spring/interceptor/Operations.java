package dev.singleflight.spring.interceptor;

import dev.singleflight.Operation;
import org.jspecify.annotations.Nullable;

/** Which operation a call of a method belongs to. */
interface Operations {

    Operation<FlightCall, @Nullable Object> of(Object target);

    /** Makes the name known to the engine. */
    void announce();
}
