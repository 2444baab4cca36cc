package dev.singleflight.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the engine may cost at most: {@code factor} times its peer plus {@code extraNanos}. */
record Target(String engine, String peer, double factor, double extraNanos, ToDoubleFunction<Figures> measure) {

    /** Processor time where a call runs on one thread, which other processes leave alone; the clock where two hand over. */
    static final List<Target> ALL = List.of(
            new Target("LeaderRunFlight.engine", "LeaderRunFlight.handRolled", 1, 120, Figures::cpuNanos),
            new Target("RetainedHit.engineWithTtl", "RetainedHit.caffeineGet", 3, 10, Figures::cpuNanos),
            new Target("RetainedHit.engineWithTtl", "RetainedHit.caffeineGetWithTtl", 3, 10, Figures::cpuNanos),
            new Target(
                    "WorkerRunFlight.engine PLATFORM",
                    "WorkerRunFlight.supplyAsync PLATFORM",
                    1.1,
                    0,
                    Figures::wallNanos),
            new Target(
                    "WorkerRunFlight.engine VIRTUAL",
                    "WorkerRunFlight.supplyAsync VIRTUAL",
                    1.1,
                    0,
                    Figures::wallNanos));

    String verdict(Figures engine, Figures peer) {
        double nanos = measure.applyAsDouble(engine);
        double peerNanos = measure.applyAsDouble(peer);
        double limit = factor * peerNanos + extraNanos;
        return "%-6s %s %.1f ns, at most %.2f x %s %.1f ns + %.0f ns = %.1f ns"
                .formatted(
                        nanos <= limit ? "kept" : "MISSED",
                        this.engine,
                        nanos,
                        factor,
                        this.peer,
                        peerNanos,
                        extraNanos,
                        limit);
    }
}
