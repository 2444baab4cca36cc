package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines expire in the order in which they were added, and one timer stands for all that a thread has added. */
@Timeout(120)
class DeadlineQueueTest {

    private final ManualTimers time = new ManualTimers();
    private final DeadlineQueue queue =
            new DeadlineQueue(time, Duration.ofSeconds(1).toNanos());
    private final List<Integer> expired = Collections.synchronizedList(new ArrayList<>());

    private final class Numbered extends DeadlineQueue.Deadline {

        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        void expired() {
            expired.add(number);
        }
    }

    private Numbered add(int number) {
        Numbered deadline = new Numbered(number);
        queue.add(deadline);
        return deadline;
    }

    private void passMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    @Test
    void aDeadlineExpiresOnceWhenItsTimeHasPassedAndNotBefore() {
        add(1);

        passMillis(999);
        assertThat(expired).isEmpty();
        passMillis(1);
        assertThat(expired).containsExactly(1);
        passMillis(10_000);
        assertThat(expired).containsExactly(1);
    }

    @Test
    void deadlinesExpireInTheirOrderEachAtItsOwnTime() {
        for (int number = 0; number < 10; number++) {
            add(number);
            passMillis(100);
        }

        assertThat(expired).containsExactly(0);
        passMillis(99);
        assertThat(expired).containsExactly(0);
        passMillis(1);
        assertThat(expired).containsExactly(0, 1);
        passMillis(800);
        assertThat(expired).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void aRemovedDeadlineDoesNotExpireWhereverItStood() {
        List<Numbered> deadlines = new ArrayList<>();
        for (int number = 0; number < 6; number++) {
            deadlines.add(add(number));
        }

        deadlines.get(0).disarm();
        deadlines.get(3).disarm();
        deadlines.get(5).disarm();
        deadlines.get(5).disarm();
        passMillis(1_000);

        assertThat(expired).containsExactly(1, 2, 4);
    }

    @Test
    void removingWhatHasExpiredOrWasNeverAddedDoesNothing() {
        Numbered expires = add(1);
        new Numbered(2).disarm();
        passMillis(1_000);
        expires.disarm();
        add(3);
        expires.disarm();
        passMillis(1_000);

        assertThat(expired).containsExactly(1, 3);
    }

    @Test
    void aDeadlineMayBeAddedAgainAfterItWasRemoved() {
        Numbered deadline = add(1);
        passMillis(500);
        deadline.disarm();
        queue.add(deadline);

        passMillis(999);
        assertThat(expired).isEmpty();
        passMillis(1);
        assertThat(expired).containsExactly(1);
    }

    @Test
    void oneArmedTimerStandsForManyDeadlines() {
        List<Numbered> deadlines = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            deadlines.add(add(number));
            assertThat(time.armed()).isEqualTo(1);
        }
        deadlines.forEach(DeadlineQueue.Deadline::disarm);
        assertThat(time.armed()).isEqualTo(1);

        passMillis(1_000);

        assertThat(expired).isEmpty();
        assertThat(time.armed()).isZero();
        add(1_000);
        assertThat(time.armed()).isEqualTo(1);
        passMillis(1_000);
        assertThat(expired).containsExactly(1_000);
        assertThat(time.armed()).isZero();
    }

    @Test
    void theTimerLooksAtTheFirstDeadlineForItsNextTurn() {
        add(1).disarm();
        passMillis(700);
        add(2);

        passMillis(300);
        assertThat(time.armed()).isEqualTo(1);
        assertThat(expired).isEmpty();
        passMillis(700);

        assertThat(expired).containsExactly(2);
        assertThat(time.armed()).isZero();
    }

    @Test
    void anExpiryMayAddAndRemoveDeadlines() {
        Numbered removed = new Numbered(9);
        DeadlineQueue.Deadline acting = new DeadlineQueue.Deadline() {
            @Override
            void expired() {
                removed.disarm();
                add(7);
            }
        };
        queue.add(acting);
        passMillis(1);
        queue.add(removed);

        passMillis(999);
        passMillis(1_000);

        assertThat(expired).containsExactly(7);
    }

    @Test
    void everyDeadlineOfManyThreadsExpiresOrIsRemovedAndNeverBoth() throws Exception {
        AtomicInteger kept = new AtomicInteger();
        List<CompletableFuture<Object>> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(Threads.start(() -> {
                List<Numbered> own = new ArrayList<>();
                for (int i = 0; i < 10_000; i++) {
                    own.add(add(i));
                    if (i % 3 == 0) {
                        own.get(i / 2).disarm();
                    }
                }
                own.forEach(deadline -> {
                    if (deadline.number % 2 == 0) {
                        deadline.disarm();
                    }
                });
                kept.addAndGet((int) own.stream()
                        .filter(deadline -> deadline.number % 2 == 1)
                        .filter(deadline -> 2 * deadline.number % 3 != 0 && (2 * deadline.number + 1) % 3 != 0
                                || 2 * deadline.number >= 10_000)
                        .count());
                return null;
            }));
        }
        for (CompletableFuture<Object> thread : threads) {
            Futures.get(thread);
        }

        passMillis(1_000);

        assertThat(expired).hasSize(kept.get());
        assertThat(time.armed()).isZero();
    }
}
