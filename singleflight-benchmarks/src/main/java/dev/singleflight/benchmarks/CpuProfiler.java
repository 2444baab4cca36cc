package dev.singleflight.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** The processor time that a call takes, on whichever thread of the JVM; unlike the clock, other processes leave it alone. */
public final class CpuProfiler implements InternalProfiler {

    static final String LABEL = "cpu.time.norm";

    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long before;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = process.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = process.getProcessCpuTime() - before;
        double calls = result.getMetadata().getAllOps();
        return List.of(new ScalarResult(LABEL, nanos / calls, "ns/op", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription() {
        return "Processor time of the JVM for each call";
    }
}
