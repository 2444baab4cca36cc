package dev.singleflight.sample.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.sample.proof.Answers.Answer;
import dev.singleflight.sample.proof.Round.Flights;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Answer OK = new Answer("200", "{}");
    private static final Answer BUSY = new Answer("503", "{}");

    @Test
    void oneExecutionIsAProof() {
        Round shared = new Round(1000, 1, new Flights(1000, 1, 997, 2), answers(310, Map.of(OK, 1000)));
        Round alone = new Round(1000, 1000, Flights.NONE, answers(48_120, Map.of(OK, 1000)));

        assertThat(new Report(shared, alone)).hasToString("""
                                      calls  executions  joined  retained  failed  wall time
                  single flight on    1,000           1     997         2       0     0.31 s
                  single flight off   1,000       1,000       0         0       0    48.12 s

                Proved: 1,000 callers, 1 execution, the same answer for all.
                """);
    }

    @Test
    void failuresWithoutSingleFlightAreNamed() {
        Round shared = new Round(10, 1, new Flights(10, 1, 9, 0), answers(310, Map.of(OK, 10)));
        Round alone = new Round(10, 7, Flights.NONE, answers(20_000, Map.of(OK, 7, BUSY, 3)));

        assertThat(new Report(shared, alone).toString())
                .contains("Proved:")
                .endsWith("With single flight off, 3 callers failed: 3 x status 503.\n");
    }

    @Test
    void twoExecutionsAreNoProof() {
        Round shared = new Round(10, 2, new Flights(10, 2, 8, 0), answers(310, Map.of(OK, 10)));

        assertThat(new Report(shared, null).toString()).endsWith("""
                NOT PROVED: 10 callers should lead to 1 execution and get the same answer.
                The database ran the query 2 times; the engine received 10 calls and started 2 flights.

                """);
    }

    @Test
    void failedCallersAreNoProof() {
        Round shared = new Round(10, 1, new Flights(10, 1, 9, 0), answers(310, Map.of(BUSY, 10)));

        assertThat(new Report(shared, null).toString())
                .contains("NOT PROVED: 10 callers")
                .contains("With single flight on, 10 callers failed: 10 x status 503.");
    }

    @Test
    void differentAnswersAreNoProof() {
        Round shared = new Round(
                10, 1, new Flights(10, 1, 9, 0), answers(310, Map.of(OK, 9, new Answer("200", "{\"a\":1}"), 1)));

        assertThat(shared.isProof()).isFalse();
    }

    private static Answers answers(int millis, Map<Answer, Integer> counts) {
        return new Answers(Duration.ofMillis(millis), counts);
    }
}
