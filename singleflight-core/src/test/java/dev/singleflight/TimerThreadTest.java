package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timer serves all callers alike: nothing of the one in whose call its thread starts stays on it. */
@Timeout(60)
class TimerThreadTest {

    private final InheritableThreadLocal<String> user = new InheritableThreadLocal<>();

    @AfterEach
    void forgetTheUser() {
        user.remove();
    }

    @Test
    void theTimerInheritsNoThreadLocalOfTheCallerWhoSetsTheFirstOne() throws Exception {
        try (SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            user.set("alice");
            CompletableFuture<String> seen = new CompletableFuture<>();
            engine.timers.signal(() -> seen.complete(user.get()), 0);

            assertThat(Futures.get(seen)).isNull();
        }
    }
}
