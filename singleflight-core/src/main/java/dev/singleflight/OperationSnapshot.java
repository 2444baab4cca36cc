package dev.singleflight;

import java.util.List;

/**
 * The figures of a name: those of all definitions and ad-hoc calls that bear it. Once nothing runs, {@code calls} is the
 * sum of executions, joined, retained hits and rejected.
 *
 * @param activeFlights flights that are not settled
 * @param waiters callers attached to them
 * @param stuck workers that outlive the timeout or the cancellation of their attempt
 * @param retainedItems outcomes kept
 * @param calls callers that came
 * @param executions flights started
 * @param joined callers that joined a running flight
 * @param retainedHits callers that were given a retained outcome
 * @param retries attempts that followed another one
 * @param failures attempts that failed
 * @param timeouts attempts that timed out
 * @param waitTimeouts callers that left at their deadline
 * @param interrupted callers that left because their thread was interrupted
 * @param cancelled callers that left by completing their future
 * @param rejected callers that were turned away, for whatever reason
 * @param forgotten keys detached by a forget
 * @param flights the flights that are not settled
 */
public record OperationSnapshot(
        int activeFlights,
        int waiters,
        int stuck,
        int retainedItems,
        long calls,
        long executions,
        long joined,
        long retainedHits,
        long retries,
        long failures,
        long timeouts,
        long waitTimeouts,
        long interrupted,
        long cancelled,
        long rejected,
        long forgotten,
        List<FlightSnapshot> flights) {

    static OperationSnapshot of(Bookkeeping books, List<FlightSnapshot> flights) {
        long executions = books.executions.sum();
        long joined = books.joined.sum();
        long retainedHits = books.retainedHits.sum();
        long rejected = books.rejected.sum();
        return new OperationSnapshot(
                flights.size(),
                flights.stream().mapToInt(FlightSnapshot::waiters).sum(),
                books.stuck.intValue(),
                books.retainedItems.intValue(),
                executions + joined + retainedHits + rejected,
                executions,
                joined,
                retainedHits,
                books.retries.sum(),
                books.failures.sum(),
                books.timeouts.sum(),
                books.waitTimeouts.sum(),
                books.interrupted.sum(),
                books.cancelled.sum(),
                rejected,
                books.forgotten.sum(),
                List.copyOf(flights));
    }
}
