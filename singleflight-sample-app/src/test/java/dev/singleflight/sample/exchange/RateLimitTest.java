package dev.singleflight.sample.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE);
    private final RateLimit limit = new RateLimit(2, now::get);

    @Test
    void soManyAreAdmittedInASecond() {
        assertThat(limit.admits()).isTrue();
        assertThat(limit.admits()).isTrue();
        assertThat(limit.admits()).isFalse();
    }

    @Test
    void theNextSecondAdmitsAgain() {
        limit.admits();
        limit.admits();

        now.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
        assertThat(limit.admits()).isFalse();
        now.addAndGet(1);
        assertThat(limit.admits()).isTrue();
        assertThat(limit.admits()).isTrue();
        assertThat(limit.admits()).isFalse();
    }

    @Test
    void aLimitOfZeroAdmitsNobody() {
        assertThat(new RateLimit(0, now::get).admits()).isFalse();
    }
}
