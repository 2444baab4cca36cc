package dev.singleflight.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What one benchmark measured for each call, round by round; each round is a JVM of its own. */
final class Figures {

    private final List<Double> wallNanos = new ArrayList<>();
    private final List<Double> cpuNanos = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();

    void add(RunResult round) {
        wallNanos.add(median(round.getPrimaryResult()));
        cpuNanos.add(median(round.getSecondaryResults().get(CpuProfiler.LABEL)));
        bytes.add(median(round.getSecondaryResults().get("gc.alloc.rate.norm")));
    }

    private static double median(@Nullable Result<?> iterations) {
        return iterations == null ? Double.NaN : iterations.getStatistics().getPercentile(50);
    }

    double wallNanos() {
        return median(wallNanos);
    }

    double cpuNanos() {
        return median(cpuNanos);
    }

    double lowestCpuNanos() {
        return Collections.min(cpuNanos);
    }

    double highestCpuNanos() {
        return Collections.max(cpuNanos);
    }

    double bytes() {
        return median(bytes);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
