package dev.singleflight.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.Threads;
import dev.singleflight.spring.annotation.SingleFlight;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The meters that operators build dashboards on. */
public class MetersTest {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final ApplicationContextRunner runner =
            Contexts.plain().withBean(Users.class, Users::new).withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    @Test
    void everyMeterOfAnAnnotatedMethodReadsZeroBeforeTheFirstCall() {
        runner.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            assertThat(count(registry, "leader", "success")).isZero();
            assertThat(count(registry, "joined", "wait-timeout")).isZero();
            assertThat(count(registry, "retained", "success")).isZero();
            assertThat(count(registry, "none", "rejected")).isZero();
            assertThat(registry.get("singleflight.flights")
                            .tags("operation", "Users.slow", "outcome", "success")
                            .timer()
                            .count())
                    .isZero();
            assertThat(registry.get("singleflight.attempts")
                            .tags("operation", "Users.slow", "outcome", "timeout")
                            .counter()
                            .count())
                    .isZero();
            for (String gauge : List.of("singleflight.flights.active", "singleflight.waiters", "singleflight.stuck")) {
                assertThat(registry.get(gauge)
                                .tags("operation", "Users.slow")
                                .gauge()
                                .value())
                        .isZero();
            }
            assertThat(registry.get("singleflight.retained.items").gauge().value())
                    .isZero();
            assertThat(registry.find("singleflight.retained.bytes").gauge()).isNull();
            assertThat(registry.get("singleflight.evictions")
                            .tags("cause", "expired")
                            .counter()
                            .count())
                    .isZero();
        });
    }

    @Test
    void callsAreTimedByRoleAndOutcome() {
        runner.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            Users users = context.getBean(Users.class);

            List<CompletableFuture<Long>> callers = Threads.start(3, () -> users.slow(7));
            Contexts.awaitWaiters(context, 3);
            assertThat(registry.get("singleflight.waiters").gauge().value()).isEqualTo(3);
            assertThat(registry.get("singleflight.flights.active").gauge().value())
                    .isEqualTo(1);
            gate.countDown();
            for (CompletableFuture<Long> caller : callers) {
                caller.get();
            }
            users.slow(7);

            assertThat(count(registry, "leader", "success")).isEqualTo(1);
            assertThat(count(registry, "joined", "success")).isEqualTo(2);
            assertThat(count(registry, "retained", "success")).isEqualTo(1);
            assertThat(registry.get("singleflight.flights")
                            .tags("outcome", "success")
                            .timer()
                            .totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
            assertThat(registry.get("singleflight.waiters").gauge().value()).isZero();
            assertThat(registry.get("singleflight.retained.items").gauge().value())
                    .isEqualTo(1);
        });
    }

    @Test
    void keyIsNeverATag() {
        runner.withPropertyValues("singleflight.expose-keys=always").run(context -> {
            Users users = context.getBean(Users.class);
            gate.countDown();
            users.slow(424242);

            assertThat(context.getBean(MeterRegistry.class).getMeters())
                    .extracting(Meter::getId)
                    .noneMatch(id -> id.toString().contains("424242"));
        });
    }

    @Test
    void operationsBeyondTheBoundAddUpAsOther() {
        runner.withPropertyValues("singleflight.metrics.max-operations=2").run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            var engine = context.getBean(dev.singleflight.SingleFlightEngine.class);
            for (int i = 0; i < 10; i++) {
                engine.call("adhoc" + i, 1, () -> 1);
            }

            assertThat(registry.get("singleflight.calls")
                            .tags("operation", "other", "role", "leader", "outcome", "success")
                            .timer()
                            .count())
                    .isEqualTo(9);
            assertThat(registry.find("singleflight.waiters").gauges()).hasSize(3);
        });
    }

    @Test
    void bytesAreAGaugeWhereTheyAreBounded() {
        runner.withPropertyValues("singleflight.cache.max-bytes=1MB")
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .get("singleflight.retained.bytes")
                                .gauge()
                                .value())
                        .isZero());
    }

    @Test
    void starterWorksWithoutMicrometer() {
        Contexts.plain()
                .withBean(Users.class, Users::new)
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> {
                    Users users = context.getBean(Users.class);
                    gate.countDown();

                    assertThat(users.slow(7)).isEqualTo(7);
                    assertThat(context).doesNotHaveBean("singleFlightMeters");
                });
    }

    private static long count(MeterRegistry registry, String role, String outcome) {
        return registry.get("singleflight.calls")
                .tags("operation", "Users.slow", "role", role, "outcome", outcome)
                .timer()
                .count();
    }

    public class Users {

        @SingleFlight(cacheFor = "until-evicted")
        public long slow(long id) throws InterruptedException {
            gate.await();
            return id;
        }
    }
}
