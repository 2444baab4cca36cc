package dev.singleflight.verification;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What happened, on one logical clock, and the rules that it must keep. A rule is checked as soon as the facts are there;
 * what breaks one is kept with all that is known of it.
 */
final class History {

    /** What an execution gives to its callers: where it came from, when it began, and who had it when. */
    static final class Token {

        private final String operation;
        private final int key;
        private final long started;
        private final AtomicLong firstDelivered = new AtomicLong(Long.MAX_VALUE);
        private final AtomicLong lastCalled = new AtomicLong();

        Token(String operation, int key, long started) {
            this.operation = operation;
            this.key = key;
            this.started = started;
        }

        @Override
        public String toString() {
            return operation + "/" + key + " started " + started + ", first delivered " + firstDelivered
                    + ", last called for " + lastCalled;
        }
    }

    /** A failure that knows the same. */
    static final class Broken extends Exception {

        private static final long serialVersionUID = 1L;

        final transient Token token;

        Broken(Token token) {
            super("planned");
            this.token = token;
        }
    }

    private record Place(String operation, int key) {}

    private final AtomicLong clock = new AtomicLong();
    private final ConcurrentMap<Place, AtomicInteger> running = new ConcurrentHashMap<>();
    private final ConcurrentMap<Place, AtomicLong> forgotten = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicLong> calls = new ConcurrentHashMap<>();
    final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** A caller is about to call, from a fuzzer or from inside work. */
    void callerComes(String operation) {
        calls.computeIfAbsent(operation, name -> new AtomicLong()).incrementAndGet();
    }

    long calls(String operation) {
        AtomicLong count = calls.get(operation);
        return count == null ? 0 : count.get();
    }

    long now() {
        return clock.incrementAndGet();
    }

    /** Work begins; where nothing can overtake it, it must be alone. */
    long executionStarts(Plan plan, int key) {
        int others = running.computeIfAbsent(new Place(plan.name(), key), place -> new AtomicInteger())
                .getAndIncrement();
        if (others > 0 && plan.isExclusive()) {
            violations.add("two executions at once of " + plan + " key " + key);
        }
        return now();
    }

    Token executionEnds(Plan plan, int key, long started) {
        running.get(new Place(plan.name(), key)).getAndDecrement();
        return new Token(plan.name(), key, started);
    }

    /** The latest forget of the key that had returned by now. */
    long forgottenBy(Plan plan, int key) {
        AtomicLong stamp = forgotten.get(new Place(plan.name(), key));
        return stamp == null ? 0 : stamp.get();
    }

    /** A forget has returned that began at the given time. */
    void forgot(Plan plan, int key, long began) {
        forgotten
                .computeIfAbsent(new Place(plan.name(), key), place -> new AtomicLong())
                .accumulateAndGet(began, Math::max);
    }

    /**
     * A caller has an outcome. It must be of its key, not forgotten before it called, and, unless it is retained, nobody
     * may have had it before it called: a flight is over when its first caller has the outcome.
     */
    void delivered(Plan plan, int key, long called, long forgottenBefore, Token token) {
        if (!token.operation.equals(plan.name()) || token.key != key) {
            violations.add("caller of " + plan + "/" + key + " got " + token);
        }
        if (token.started < forgottenBefore) {
            violations.add("caller at " + called + " got " + token + ", forgotten at " + forgottenBefore);
        }
        long last = token.lastCalled.accumulateAndGet(called, Math::max);
        long first = token.firstDelivered.accumulateAndGet(now(), Math::min);
        if (!plan.retains() && last > first) {
            violations.add("a caller got what was over: " + token);
        }
    }
}
