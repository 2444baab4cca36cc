package dev.singleflight.sample.proof;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the requests of a stampede.
 *
 * @param wallTime from the first request's last byte to the last answer
 * @param counts how many callers got each answer
 */
record Answers(Duration wallTime, Map<Answer, Integer> counts) {

    /**
     * One answer.
     *
     * @param status what follows the protocol in its first line; empty where there was no answer
     * @param body its text, as it was sent
     */
    record Answer(String status, String body) {

        static final Answer NONE = new Answer("", "");

        static Answer parse(String response) {
            int firstLine = response.indexOf("\r\n");
            int head = response.indexOf("\r\n\r\n");
            return head < 0
                    ? NONE
                    : new Answer(
                            response.substring(response.indexOf(' ') + 1, firstLine), response.substring(head + 4));
        }

        boolean isSuccess() {
            return status.startsWith("2");
        }
    }

    int successful() {
        return sum(counts.values()) - sum(failures().values());
    }

    int failed() {
        return sum(failures().values());
    }

    boolean allAlike() {
        return counts.size() == 1;
    }

    /** Counts the failures by status. */
    Map<String, Integer> failures() {
        Map<String, Integer> failures = new TreeMap<>();
        counts.forEach((answer, count) -> {
            if (!answer.isSuccess()) {
                failures.merge(
                        answer.status().isBlank()
                                ? "no answer"
                                : "status " + answer.status().strip(),
                        count,
                        Integer::sum);
            }
        });
        return failures;
    }

    private static int sum(Collection<Integer> counts) {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }
}
