package dev.singleflight.spring.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import dev.singleflight.spring.interceptor.CarriedContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Mono;

/** A flight is shared: what is for seeing goes along with it, and the identity of its leader does not. */
public class ContextOnAttemptsTest {

    private static final Authentication ALICE = new TestingAuthenticationToken("alice", "secret");

    private final ObservationRegistry observations = ObservationRegistry.create();
    private final List<String> seen = new ArrayList<>();
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Work.class, Work::new);

    @BeforeEach
    void callers() {
        observations.observationConfig().observationHandler(context -> true);
        SecurityContextHolder.getContext().setAuthentication(ALICE);
        MDC.put("request", "r1");
    }

    @AfterEach
    void nobody() {
        SecurityContextHolder.clearContext();
        MDC.clear();
    }

    @Test
    void observationAndLoggingContextGoAlongOnEveryAttemptAndTheIdentityDoesNot() {
        runner.run(context -> {
            Observation.createNotStarted("caller", observations)
                    .observe(() -> assertThat(context.getBean(Work.class).seenOnWorker())
                            .isEqualTo("observation=caller request=r1 user=none"));

            assertThat(seen)
                    .containsExactly(
                            "observation=caller request=r1 user=none", "observation=caller request=r1 user=none");
        });
    }

    @Test
    void workerIsLeftAsItWas() {
        runner.withPropertyValues("spring.threads.virtual.enabled=false").run(context -> {
            context.getBean(Work.class).seenOnWorker();
            MDC.clear();

            assertThat(context.getBean(Work.class).seenOnWorker()).endsWith("request=null user=none");
        });
    }

    @Test
    void leaderWithoutALoggingContextHidesWhatTheExecutorHasLeftOver() {
        MDC.clear();
        runner.withBean(
                        "singleFlightExecutor",
                        java.util.concurrent.Executor.class,
                        () -> task -> new Thread(() -> {
                                    MDC.put("request", "leftover");
                                    task.run();
                                })
                                .start())
                .run(context -> {
                    context.getBean(Work.class).seenOnWorker();

                    assertThat(seen).hasSize(2).allMatch(each -> each.contains("request=null"));
                });
    }

    @Test
    void everythingGoesAlongWhereTheApplicationSaysSo() {
        runner.withPropertyValues("singleflight.context.propagate=all")
                .run(context ->
                        assertThat(context.getBean(Work.class).seenOnWorker()).endsWith("user=alice"));
    }

    @Test
    void keyThatIsNamedGoesAlong() {
        runner.withPropertyValues("singleflight.context.keys=" + SecurityContext.class.getName())
                .run(context ->
                        assertThat(context.getBean(Work.class).seenOnWorker()).endsWith("request=r1 user=alice"));
    }

    @Test
    void nothingGoesAlongWhereTheApplicationSaysSo() {
        runner.withPropertyValues("singleflight.context.propagate=none")
                .run(context ->
                        assertThat(context.getBean(Work.class).seenOnWorker()).endsWith("request=null user=none"));
    }

    @Test
    void nothingIsCapturedWhereNothingGoesAlong() {
        runner.withPropertyValues("singleflight.context.propagate=none")
                .run(context -> assertThat(captured(context)).isNull());
        runner.withPropertyValues("singleflight.context.propagate=none", "singleflight.context.keys=tenant")
                .run(context -> assertThat(captured(context)).isNotNull());
    }

    private static CarriedContext captured(ApplicationContext context) {
        return context.getBean(SnapshotCarrier.class).capture("Work.seenOnWorker", null);
    }

    @Test
    void inheritableIdentityDoesNotReachWorkers() {
        SecurityContextHolder.setStrategyName(SecurityContextHolder.MODE_INHERITABLETHREADLOCAL);
        try {
            SecurityContextHolder.getContext().setAuthentication(ALICE);
            runner.run(context ->
                    assertThat(context.getBean(Work.class).seenOnWorker()).endsWith("user=none"));
        } finally {
            SecurityContextHolder.setStrategyName(SecurityContextHolder.MODE_THREADLOCAL);
        }
    }

    @Test
    void reactorContextGoesAlongAsFarAsItsKeysAreAllowed() {
        ApplicationContextRunner named = runner.withPropertyValues("singleflight.context.keys=tenant");
        for (ApplicationContextRunner each :
                List.of(named, named.withClassLoader(new FilteredClassLoader("io.micrometer.context")))) {
            each.run(context -> assertThat(context.getBean(Work.class)
                            .seenReactively()
                            .contextWrite(ReactiveSecurityContextHolder.withAuthentication(ALICE))
                            .contextWrite(view -> view.put("tenant", "t1").put("other", "o1"))
                            .block())
                    .isEqualTo("tenant=t1 other=null user=none"));
        }
    }

    @Test
    void reactorsSecurityKeyGoesAlongOnlyWhereNamed() {
        runner.withPropertyValues("singleflight.context.keys=" + SecurityContext.class.getName())
                .run(context -> assertThat(context.getBean(Work.class)
                                .seenReactively()
                                .contextWrite(ReactiveSecurityContextHolder.withAuthentication(ALICE))
                                .block())
                        .endsWith("user=alice"));
    }

    @Test
    void executorOfTheApplicationReplacesTheWorkersWhereItHasTheName() {
        AtomicReference<Thread> used = new AtomicReference<>();
        runner.withBean("singleFlightExecutor", java.util.concurrent.Executor.class, () -> task -> {
                    Thread thread = new Thread(task, "mine");
                    used.set(thread);
                    thread.start();
                })
                .withBean("otherExecutor", java.util.concurrent.Executor.class, () -> task -> {
                    throw new AssertionError("not asked for");
                })
                .run(context -> {
                    assertThat(context.getBean(Work.class).thread()).isSameAs(used.get());
                });
    }

    public class Work {

        @SingleFlight(retries = 1)
        public String seenOnWorker() {
            Observation current = observations.getCurrentObservation();
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            seen.add("observation="
                    + (current == null ? "none" : current.getContext().getName()) + " request=" + MDC.get("request")
                    + " user=" + (user == null ? "none" : user.getName()));
            if (seen.size() == 1) {
                throw new IllegalStateException("again");
            }
            return seen.get(seen.size() - 1);
        }

        @SingleFlight
        public Mono<String> seenReactively() {
            return Mono.deferContextual(view -> ReactiveSecurityContextHolder.getContext()
                    .map(security -> security.getAuthentication().getName())
                    .defaultIfEmpty("none")
                    .map(user -> "tenant=" + view.getOrDefault("tenant", null) + " other="
                            + view.getOrDefault("other", null) + " user=" + user));
        }

        @SingleFlight
        public Thread thread() {
            return Thread.currentThread();
        }
    }
}
