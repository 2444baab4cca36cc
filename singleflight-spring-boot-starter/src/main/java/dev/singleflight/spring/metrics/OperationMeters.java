package dev.singleflight.spring.metrics;

import dev.singleflight.FlightListener.Result;
import dev.singleflight.Role;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The meters of one operation, all there from the start: what has not happened reads zero, not nothing. */
final class OperationMeters {

    private static final Set<Result> OF_FLIGHTS =
            EnumSet.of(Result.SUCCESS, Result.FAILURE, Result.TIMEOUT, Result.CANCELLED);
    private static final Set<Result> OF_ATTACHED = EnumSet.complementOf(EnumSet.of(Result.REJECTED));
    private static final Set<Result> OF_RETAINED = EnumSet.of(Result.SUCCESS, Result.FAILURE, Result.TIMEOUT);
    private static final Set<Result> OF_REFUSED = EnumSet.of(Result.REJECTED, Result.WAIT_TIMEOUT, Result.INTERRUPTED);

    private final Map<Role, Map<Result, Timer>> calls = new EnumMap<>(Role.class);
    private final Map<Result, Timer> refused;
    private final Map<Result, Timer> flights = new EnumMap<>(Result.class);
    private final Map<Result, Counter> attempts = new EnumMap<>(Result.class);

    OperationMeters(MeterRegistry registry, String operation) {
        for (Role role : Role.values()) {
            Set<Result> results = role == Role.RETAINED ? OF_RETAINED : OF_ATTACHED;
            calls.put(role, calls(registry, operation, text(role), results));
        }
        refused = calls(registry, operation, "none", OF_REFUSED);
        for (Result result : OF_FLIGHTS) {
            flights.put(
                    result,
                    Timer.builder("singleflight.flights")
                            .description("Flights, from start to settlement")
                            .tags("operation", operation, "outcome", text(result))
                            .register(registry));
            attempts.put(
                    result,
                    Counter.builder("singleflight.attempts")
                            .description("Runs of the work")
                            .tags("operation", operation, "outcome", text(result))
                            .register(registry));
        }
    }

    private static Map<Result, Timer> calls(
            MeterRegistry registry, String operation, String role, Set<Result> results) {
        Map<Result, Timer> timers = new EnumMap<>(Result.class);
        for (Result result : results) {
            timers.put(
                    result,
                    Timer.builder("singleflight.calls")
                            .description("Callers, and how long they waited")
                            .tags("operation", operation, "role", role, "outcome", text(result))
                            .register(registry));
        }
        return timers;
    }

    @Nullable
    Timer calls(@Nullable Role role, Result result) {
        Map<Result, Timer> timers = role == null ? refused : calls.get(role);
        return timers == null ? null : timers.get(result);
    }

    @Nullable
    Timer flights(Result result) {
        return flights.get(result);
    }

    @Nullable
    Counter attempts(Result result) {
        return attempts.get(result);
    }

    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
