package dev.singleflight.sample.proof;

import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rounds as text: a table and a verdict.
 *
 * @param shared the load with single flight
 * @param alone the same load without it, where that was tried
 */
record Report(Round shared, @Nullable Round alone) {

    private static final String ROW = "  %-17s %7s %11s %7s %9s %7s %10s%n";

    @Override
    public String toString() {
        String head = ROW.formatted("", "calls", "executions", "joined", "retained", "failed", "wall time");
        String rows = row("single flight on", shared.flights().calls(), shared)
                + (alone == null ? "" : row("single flight off", alone.callers(), alone));
        return head + rows + "%n%s%n".formatted(verdict()) + (alone == null ? "" : failures("off", alone.answers()));
    }

    private static String row(String name, long calls, Round round) {
        return ROW.formatted(
                name,
                number(calls),
                number(round.executions()),
                number(round.flights().joined()),
                number(round.flights().retained()),
                number(round.answers().failed()),
                String.format(Locale.ROOT, "%.2f s", round.answers().wallTime().toMillis() / 1e3));
    }

    private String verdict() {
        if (shared.isProof()) {
            return "Proved: %s callers, 1 execution, the same answer for all.".formatted(number(shared.callers()));
        }
        return "NOT PROVED: %s callers should lead to 1 execution and get the same answer.%n"
                        .formatted(number(shared.callers()))
                + "The database ran the query %s times; the engine received %s calls and started %s flights.%n"
                        .formatted(
                                number(shared.executions()),
                                number(shared.flights().calls()),
                                number(shared.flights().executions()))
                + failures("on", shared.answers());
    }

    private static String failures(String mode, Answers answers) {
        return answers.failed() == 0
                ? ""
                : "With single flight %s, %s callers failed: %s.%n"
                        .formatted(
                                mode,
                                number(answers.failed()),
                                answers.failures().entrySet().stream()
                                        .map(failure -> number(failure.getValue()) + " x " + failure.getKey())
                                        .collect(Collectors.joining(", ")));
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
