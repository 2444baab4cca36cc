package dev.singleflight.sample.proof;

import dev.singleflight.OperationSnapshot;

/**
 * One load, and what it cost.
 *
 * @param callers requests sent
 * @param executions how often the repository ran its query for them
 * @param flights what the engine counted; all zero without single flight
 * @param answers what the callers got
 */
record Round(int callers, long executions, Flights flights, Answers answers) {

    /**
     * The engine's own figures for one operation.
     *
     * @param calls callers that came
     * @param executions flights started
     * @param joined callers that joined a running flight
     * @param retained callers that came after it and were given its retained outcome
     */
    record Flights(long calls, long executions, long joined, long retained) {

        static final Flights NONE = new Flights(0, 0, 0, 0);

        static Flights of(OperationSnapshot figures) {
            return new Flights(figures.calls(), figures.executions(), figures.joined(), figures.retainedHits());
        }

        Flights since(Flights before) {
            return new Flights(
                    calls - before.calls,
                    executions - before.executions,
                    joined - before.joined,
                    retained - before.retained);
        }
    }

    boolean isProof() {
        return executions == 1
                && flights.executions() == 1
                && flights.calls() == callers
                && flights.joined() + flights.retained() == callers - 1
                && answers.failed() == 0
                && answers.allAlike();
    }
}
