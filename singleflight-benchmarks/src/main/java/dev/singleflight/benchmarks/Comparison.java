package dev.singleflight.benchmarks;

import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks with JMH's own options and sets the engine against its targets. Forks are rounds: every benchmark
 * runs in one fork, then every one in another, so that peers share whatever else the machine does meanwhile. Figures are
 * medians of rounds.
 */
final class Comparison {

    private static final int ROUNDS = 5;

    private final Map<String, Figures> figures = new TreeMap<>();

    private Comparison() {}

    public static void main(String[] arguments) throws Exception {
        CommandLineOptions options = new CommandLineOptions(arguments);
        if (options.shouldHelp() || options.shouldList() || options.shouldListProfilers()) {
            Main.main(arguments);
            return;
        }
        Comparison comparison = new Comparison();
        comparison.run(options);
        comparison.printFigures();
        comparison.printTargets();
    }

    private void run(CommandLineOptions options) throws RunnerException, CommandLineOptionException {
        int rounds = options.getForkCount().orElse(ROUNDS);
        Options once = round(options);
        for (int round = 1; round <= rounds; round++) {
            System.out.println("Round " + round + " of " + rounds);
            for (RunResult result : new Runner(once).run()) {
                figures.computeIfAbsent(name(result.getParams()), name -> new Figures())
                        .add(result);
            }
        }
    }

    private static Options round(CommandLineOptions options) {
        OptionsBuilder once = new OptionsBuilder();
        once.parent(options).forks(1).addProfiler(GCProfiler.class).addProfiler(CpuProfiler.class);
        once.verbosity(options.verbosity().orElse(VerboseMode.SILENT));
        if (options.getIncludes().isEmpty() && Runtime.version().feature() < 21) {
            once.param("threads", WorkerThreads.PLATFORM.name());
        }
        return once.build();
    }

    private static String name(BenchmarkParams params) {
        String benchmark = params.getBenchmark().replaceFirst("^.*\\.(?=[A-Z])", "");
        String threads = params.getParam("threads");
        return threads == null ? benchmark : benchmark + " " + threads;
    }

    private void printFigures() {
        System.out.printf(
                "%nJava %s, %d processors%n%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors());
        System.out.printf(
                "%-50s %10s %10s %23s %6s%n", "for each call", "clock ns", "cpu ns", "rounds from .. to", "bytes");
        figures.forEach((name, each) -> System.out.printf(
                "%-50s %10.1f %10.1f %10.1f .. %9.1f %6.0f%n",
                name, each.wallNanos(), each.cpuNanos(), each.lowestCpuNanos(), each.highestCpuNanos(), each.bytes()));
        System.out.println();
    }

    private void printTargets() {
        for (Target target : Target.ALL) {
            Figures engine = figures.get(target.engine());
            Figures peer = figures.get(target.peer());
            if (engine != null && peer != null) {
                System.out.println(target.verdict(engine, peer));
            }
        }
    }
}
