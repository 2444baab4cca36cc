package dev.singleflight.spring.interceptor;

import static dev.singleflight.spring.Contexts.awaitWaiters;
import static dev.singleflight.spring.Contexts.figures;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.AttemptTimeoutException;
import dev.singleflight.FlightUnavailableException;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.Threads;
import dev.singleflight.spring.annotation.SingleFlight;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The main job: an annotated method of a bean runs once for all callers of a key. */
class AnnotatedMethodTest {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();
    private final IOException missing = new IOException("missing");
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Users.class, Users::new);

    @Test
    void concurrentCallersShareOneExecutionAndItsValue() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);

            List<CompletableFuture<Object>> callers = Threads.start(50, () -> users.profile(7));
            awaitWaiters(context, 50);
            gate.countDown();

            Object first = callers.get(0).get();
            assertThat(callers).allSatisfy(caller -> assertThat(caller.get()).isSameAs(first));
            assertThat(executions).hasValue(1);
            assertThat(figures(context, "Users.profile").joined()).isEqualTo(49);
        });
    }

    @Test
    void differentKeysDoNotMeet() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            gate.countDown();

            assertThat(users.profile(7)).isNotSameAs(users.profile(8));
            assertThat(executions).hasValue(2);
        });
    }

    @Test
    void valueIsRetainedAndRetriesHappenInsideTheFlight() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);

            assertThat(users.flaky(7)).isEqualTo("attempt 3");
            assertThat(users.flaky(7)).isEqualTo("attempt 3");
            assertThat(figures(context, "Users.flaky").retries()).isEqualTo(2);
            assertThat(figures(context, "Users.flaky").retainedHits()).isEqualTo(1);
        });
    }

    @Test
    void checkedExceptionArrivesAsItselfAtLeaderAndWaiters() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            StackTraceElement[] stack = missing.getStackTrace();

            List<CompletableFuture<String>> callers = Threads.start(5, () -> users.fails(7));
            awaitWaiters(context, 5);
            gate.countDown();

            for (CompletableFuture<String> caller : callers) {
                assertThatThrownBy(caller::get).cause().isSameAs(missing);
            }
            assertThat(missing.getSuppressed()).isEmpty();
            assertThat(missing.getStackTrace()).isEqualTo(stack);
            assertThat(executions).hasValue(1);
        });
    }

    @Test
    void errorArrivesAsItself() {
        runner.run(
                context -> assertThatThrownBy(() -> context.getBean(Users.class).breaks())
                        .isExactlyInstanceOf(StackOverflowError.class));
    }

    @Test
    void exceptionsOfTheEngineArriveAsThemselves() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);

            assertThatThrownBy(users::hangs).isExactlyInstanceOf(AttemptTimeoutException.class);
            context.getBean(SingleFlightEngine.class).stop();
            assertThatThrownBy(users::hangs).isExactlyInstanceOf(FlightUnavailableException.class);
        });
    }

    @Test
    void switchedOffMethodsRunPlainlyAndTheEngineStays() {
        runner.withPropertyValues("singleflight.enabled=false").run(context -> {
            Users users = context.getBean(Users.class);
            gate.countDown();

            assertThat(users.getClass()).isEqualTo(Users.class);
            assertThat(users.profile(7)).isNotSameAs(users.profile(7));
            assertThat(context).hasSingleBean(SingleFlightEngine.class);
        });
    }

    class Users {

        @SingleFlight(key = "#userId")
        Object profile(long userId) throws InterruptedException {
            executions.incrementAndGet();
            gate.await();
            return new Object();
        }

        @SingleFlight(key = "#userId", retries = 2, cacheFor = "1h")
        String flaky(long userId) throws IOException {
            if (executions.incrementAndGet() < 3) {
                throw missing;
            }
            return "attempt " + executions.get();
        }

        @SingleFlight(key = "#userId")
        String fails(long userId) throws IOException, InterruptedException {
            executions.incrementAndGet();
            gate.await();
            throw missing;
        }

        @SingleFlight
        void breaks() {
            throw new StackOverflowError("deep");
        }

        @SingleFlight(timeout = "20ms")
        void hangs() throws InterruptedException {
            gate.await();
        }
    }
}
