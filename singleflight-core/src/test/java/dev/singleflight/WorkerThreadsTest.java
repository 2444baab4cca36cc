package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine's own threads serve all callers alike: nothing of the one in whose call they start stays on them. */
@Timeout(60)
class WorkerThreadsTest {

    private final InheritableThreadLocal<String> user = new InheritableThreadLocal<>();

    @AfterEach
    void forgetTheUser() {
        user.remove();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWorkerInheritsNoThreadLocalOfTheCallerInWhoseCallItStarts(boolean virtual) throws Exception {
        try (SingleFlightEngine engine =
                SingleFlightEngine.builder().virtualThreads(virtual).build()) {
            user.set("alice");

            assertThat(engine.<String>call("user", 1, user::get)).isNull();
            CompletableFuture<String> other = Threads.start(() -> engine.call("user", 2, user::get));
            assertThat(Futures.get(other)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWorkerLoadsClassesAsTheThreadDidThatBuiltTheEngine(boolean virtual) throws Exception {
        Thread self = Thread.currentThread();
        ClassLoader builders = self.getContextClassLoader();
        try (SingleFlightEngine engine =
                        SingleFlightEngine.builder().virtualThreads(virtual).build();
                URLClassLoader callers = new URLClassLoader(new URL[0])) {
            self.setContextClassLoader(callers);

            assertThat(engine.<ClassLoader>call(
                            "loader", 1, () -> Thread.currentThread().getContextClassLoader()))
                    .isSameAs(builders);
        } finally {
            self.setContextClassLoader(builders);
        }
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
