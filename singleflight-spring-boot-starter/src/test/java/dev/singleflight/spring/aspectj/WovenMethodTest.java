package dev.singleflight.spring.aspectj;

import static dev.singleflight.spring.Contexts.awaitWaiters;
import static dev.singleflight.spring.Contexts.figures;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.Threads;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** With the weaver as an agent, methods fly that no proxy can catch. */
@Tag("load-time-weaving")
class WovenMethodTest {

    private final AtomicInteger executions = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Users.class, Users::new);

    @Test
    void methodCalledOnThisFlies() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            assertSharedBy(context, () -> users.viaThis(7));
            assertThat(figures(context, "Users.profile").executions()).isEqualTo(1);
        });
    }

    @Test
    void privateMethodFlies() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            assertSharedBy(context, () -> users.viaPrivate(7));
        });
    }

    @Test
    void finalMethodFliesOnTheBeanBehindItsProxy() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            assertSharedBy(context, () -> users.finalProfile(7));
        });
    }

    @Test
    void methodOfAnAnnotatedClassAndComposedAnnotationsFlyOnThis() {
        Contexts.plain().withBean(Reports.class).run(context -> {
            Reports reports = context.getBean(Reports.class);

            assertThat(reports.viaThis(7)).isEqualTo("report 7");

            assertThat(figures(context, "Reports.report").executions()).isEqualTo(1);
            assertThat(figures(context, "Reports.composed").executions()).isEqualTo(1);
        });
    }

    @Test
    void checkedExceptionArrivesAsItself() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);

            assertThatThrownBy(() -> users.viaFailing(7))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("missing");
            assertThat(figures(context, "Users.failing").failures()).isEqualTo(3);
        });
    }

    @Test
    void methodThatReturnsAFutureFlies() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);

            assertThat(users.viaFuture(7).get()).isEqualTo("future 7");
            assertThat(figures(context, "Users.future").executions()).isEqualTo(1);
        });
    }

    @Test
    void methodCalledOnThisForgets() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            String first = users.viaRetained(7);
            assertThat(users.viaRetained(7)).isEqualTo(first);
            users.viaForgetting(7);
            assertThat(users.viaRetained(7)).isNotEqualTo(first);
        });
    }

    @Test
    void objectThatIsNoBeanFliesAndIsAnIdentityOfItsOwn() {
        runner.run(context -> {
            Users one = new Users();
            Users other = new Users();

            assertSharedBy(context, () -> one.profile(7));
            assertThat(other.profile(7)).isEqualTo("execution 2");
            assertThat(figures(context, "Users.profile").executions()).isEqualTo(2);
        });
    }

    @Test
    void withoutAnApplicationContextMethodsRunPlainly() throws Exception {
        runner.run(context -> assertThat(context).hasNotFailed());
        Users users = new Users();
        gate.countDown();

        assertThat(users.profile(7)).isEqualTo("execution 1");
        assertThat(users.profile(7)).isEqualTo("execution 2");
    }

    @Test
    void switchedOffMethodsRunPlainly() {
        runner.withPropertyValues("singleflight.enabled=false").run(context -> {
            Users users = context.getBean(Users.class);

            assertThat(users.viaRetained(7)).isNotEqualTo(users.viaRetained(7));
        });
    }

    private void assertSharedBy(ApplicationContext context, Callable<String> call) throws Exception {
        List<CompletableFuture<String>> callers = Threads.start(10, call);
        awaitWaiters(context, 10);
        gate.countDown();
        for (CompletableFuture<String> caller : callers) {
            assertThat(caller.get()).isEqualTo("execution 1");
        }
        assertThat(executions).hasValue(1);
    }

    class Users {

        String viaThis(long userId) throws InterruptedException {
            return profile(userId);
        }

        String viaPrivate(long userId) throws InterruptedException {
            return privateProfile(userId);
        }

        void viaFailing(long userId) throws IOException {
            failing(userId);
        }

        CompletableFuture<String> viaFuture(long userId) {
            return future(userId);
        }

        String viaRetained(long userId) {
            return retained(userId);
        }

        void viaForgetting(long userId) {
            forgetting(userId);
        }

        @SingleFlight
        String profile(long userId) throws InterruptedException {
            return execution();
        }

        @SingleFlight
        private String privateProfile(long userId) throws InterruptedException {
            return execution();
        }

        @SingleFlight
        final String finalProfile(long userId) throws InterruptedException {
            return execution();
        }

        @SingleFlight(retries = 2)
        private void failing(long userId) throws IOException {
            throw new IOException("missing");
        }

        @SingleFlight
        private CompletableFuture<String> future(long userId) {
            return CompletableFuture.completedFuture("future " + userId);
        }

        @SingleFlight(operation = "retained", cacheFor = "1h")
        private String retained(long userId) {
            return "execution " + executions.incrementAndGet();
        }

        @ForgetFlight(operation = "retained", key = "#p0")
        private void forgetting(long userId) {}

        private String execution() throws InterruptedException {
            int execution = executions.incrementAndGet();
            gate.await();
            return "execution " + execution;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @SingleFlight
    @interface Shared {}

    @SingleFlight
    static class Reports {

        String viaThis(long id) {
            composed(id);
            return report(id);
        }

        public String report(long id) {
            return "report " + id;
        }

        @Shared
        private void composed(long id) {}
    }
}
