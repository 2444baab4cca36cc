package dev.singleflight.spring.autoconfigure;

import static dev.singleflight.spring.Contexts.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.AttemptTimeoutException;
import dev.singleflight.EngineSnapshot;
import dev.singleflight.FlightListener;
import dev.singleflight.OperationDefinition;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import dev.singleflight.spring.interceptor.AnnotatedMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

/** The properties of the engine and of its operations. */
public class PropertiesTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Users.class, Users::new);

    @Test
    void boundsReachTheEngine() {
        runner.withPropertyValues(
                        "singleflight.max-flights=7",
                        "singleflight.cache.max-items=8",
                        "singleflight.cache.max-bytes=9KB")
                .run(context -> {
                    EngineSnapshot engine =
                            context.getBean(SingleFlightEngine.class).snapshot();
                    assertThat(engine.maxFlights()).isEqualTo(7);
                    assertThat(engine.maxItems()).isEqualTo(8);
                    assertThat(engine.maxBytes()).isEqualTo(9 * 1024);
                });
    }

    @Test
    void operationWinsOverAnnotationOverDefaultsEachFieldByItself() {
        runner.withPropertyValues(
                        "singleflight.defaults.retries=5",
                        "singleflight.defaults.cache-errors-for=until-evicted",
                        "singleflight.operations.[Users.fail].retries=2")
                .run(context -> {
                    Users users = context.getBean(Users.class);

                    assertThatThrownBy(users::fail).isInstanceOf(IllegalStateException.class);
                    assertThat(runs).as("operation over annotation").hasValue(3);
                    assertThatThrownBy(users::fail).hasMessage("3");
                    assertThat(runs).as("errors retained by the defaults").hasValue(3);

                    runs.set(0);
                    assertThatThrownBy(users::failToo).isInstanceOf(IllegalStateException.class);
                    assertThat(runs).as("annotation over defaults").hasValue(2);

                    runs.set(0);
                    assertThatThrownBy(users::failPlainly).isInstanceOf(IllegalStateException.class);
                    assertThat(runs).as("defaults").hasValue(6);
                });
    }

    @Test
    void propertiesReachOperationsOfCodeToo() {
        runner.withPropertyValues("singleflight.defaults.retries=1", "singleflight.operations.code.retries=2")
                .run(context -> {
                    SingleFlightEngine engine = context.getBean(SingleFlightEngine.class);
                    var operation = engine.bind(OperationDefinition.of("code", (Integer id) -> id, id -> fail()));

                    assertThatThrownBy(() -> operation.call(1)).hasCauseInstanceOf(IllegalStateException.class);
                    assertThat(runs).hasValue(3);
                    runs.set(0);
                    assertThatThrownBy(() -> engine.call("other", 1, this::fail))
                            .hasCauseInstanceOf(IllegalStateException.class);
                    assertThat(runs).hasValue(2);
                });
    }

    @Test
    void durationsAreTextNumbersOrNone() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "yaml",
                                Map.of(
                                        "singleflight.defaults.timeout", 20,
                                        "singleflight.defaults.wait-timeout", "none",
                                        "singleflight.operations[Users.slow].timeout", "PT0.02S",
                                        "singleflight.defaults.retryOn", "FAILURES",
                                        "singleflight.defaults.CACHE_FOR", "until_evicted"))))
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Users.class).slow())
                        .isInstanceOf(AttemptTimeoutException.class)
                        .hasMessageContaining("20ms"));
    }

    @ParameterizedTest
    @CsvSource({
        "singleflight.max-flights=0, maxFlights (0)",
        "singleflight.cache.max-items=-1, cacheMaxItems (-1)",
        "singleflight.defaults.retries=-1, singleflight.defaults",
        "singleflight.operations.[Users.slow].retry-jitter=2, singleflight.operations.Users.slow",
        "singleflight.operations.[a/b].retries=1, 'a/b'"
    })
    void badValueIsRefusedNamingWhereItStands(String property, String message) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(refusal(context)).hasMessageContaining(message));
    }

    @Test
    void badDurationIsRefusedNamingProperty() {
        runner.withPropertyValues("singleflight.defaults.timeout=5 parsecs")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("singleflight.defaults.timeout")
                        .hasStackTraceContaining("'5 parsecs' is not a duration; write 500ms, 2s, PT0.5S or none"));
    }

    @Test
    void refusalIsAnalyzedIntoWhatAndWhatToDo() {
        runner.withPropertyValues("singleflight.max-flights=0").run(context -> {
            FailureAnalysis analysis = new InvalidSingleFlightFailureAnalyzer().analyze(context.getStartupFailure());

            assertThat(analysis.getDescription()).contains("Invalid maxFlights (0)");
            assertThat(analysis.getAction()).isEqualTo("Change that property.");
        });
    }

    @Test
    void listenersOfTheApplicationAreRegistered() {
        List<String> heard = new ArrayList<>();
        runner.withBean("listener", FlightListener.class, () -> new FlightListener() {
                    @Override
                    public void flightStarted(String operation, Object key) {
                        heard.add(operation);
                    }
                })
                .run(context -> {
                    context.getBean(SingleFlightEngine.class).call("rates", 1, () -> 1);
                    assertThat(heard).containsExactly("rates");
                });
    }

    @Test
    void engineOfTheApplicationIsTheOneThatMethodsFlyOn() {
        SingleFlightEngine own = SingleFlightEngine.builder().build();
        runner.withBean("own", SingleFlightEngine.class, () -> own).run(context -> {
            context.getBean(Users.class).quick();
            assertThat(own.snapshot("Users.quick")).isNotNull();
        });
    }

    @Test
    void stoppedAndStartedContextBeginsEmptyAndHandlesStayValid() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            SingleFlightEngine engine = context.getBean(SingleFlightEngine.class);
            int before = users.quick();
            assertThat(users.quick()).isEqualTo(before);

            context.getSourceApplicationContext().stop();
            assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.CLOSED);
            context.getSourceApplicationContext().start();

            assertThat(engine.snapshot().state()).isEqualTo(EngineSnapshot.State.RUNNING);
            assertThat(users.quick()).isNotEqualTo(before);
        });
    }

    @Test
    void engineStopsAfterTheWebServerAndWaitsNoLongerThanAShutdownPhase() {
        assertThat(SingleFlightLifecycle.PHASE).isLessThan(Integer.MAX_VALUE - 2048);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        runner.withPropertyValues(
                        "singleflight.shutdown-timeout=1h", "spring.lifecycle.timeout-per-shutdown-phase=50ms")
                .run(context -> {
                    context.getBean(SingleFlightEngine.class)
                            .bind(OperationDefinition.of("hang", (Integer id) -> id, id -> {
                                started.countDown();
                                try {
                                    return new CountDownLatch(1).getCount() + awaitForever();
                                } catch (InterruptedException stopped) {
                                    interrupted.countDown();
                                    throw stopped;
                                }
                            }))
                            .callAsync(1);
                    started.await();
                    context.getSourceApplicationContext().close();
                    interrupted.await();
                });
    }

    private static long awaitForever() throws InterruptedException {
        new CountDownLatch(1).await();
        return 0;
    }

    @ParameterizedTest
    @CsvSource({
        "org.springframework.boot.actuate",
        "io.micrometer",
        "reactor",
        "org.aspectj",
        "org.springframework.transaction",
        "org.springframework.web",
        "org.springframework.security",
        "org.slf4j.MDC"
    })
    void annotatedMethodsFlyWithoutWhatIsOptional(String missing) {
        runner.withClassLoader(new FilteredClassLoader(missing)).run(context -> {
            Users users = context.getBean(Users.class);
            assertThat(users.quick()).isEqualTo(users.quick());
            users.forgetQuick();
            assertThat(runs).hasValue(1);
        });
    }

    @Test
    void withoutSpringAopThereIsAnEngineAndNoAdvice() {
        Contexts.plain()
                .withClassLoader(new FilteredClassLoader("org.springframework.aop"))
                .run(context -> assertThat(context)
                        .hasSingleBean(SingleFlightEngine.class)
                        .doesNotHaveBean(AnnotatedMethods.class));
    }

    private int fail() {
        throw new IllegalStateException(String.valueOf(runs.incrementAndGet()));
    }

    public class Users {

        @SingleFlight(retries = 3)
        public void fail() {
            PropertiesTest.this.fail();
        }

        @SingleFlight(retries = 1)
        public void failToo() {
            PropertiesTest.this.fail();
        }

        @SingleFlight
        public void failPlainly() {
            PropertiesTest.this.fail();
        }

        @SingleFlight
        public void slow() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @SingleFlight(cacheFor = "until-evicted")
        public int quick() {
            return runs.incrementAndGet();
        }

        @dev.singleflight.spring.annotation.ForgetFlight(operation = "Users.quick", allKeys = true)
        public void forgetQuick() {}
    }
}
