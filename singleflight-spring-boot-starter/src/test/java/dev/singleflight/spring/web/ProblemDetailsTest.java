package dev.singleflight.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.FlightUnavailableException;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationSettings;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.TooManyFlightsException;
import dev.singleflight.spring.autoconfigure.SingleFlightAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightWebAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What a client is told when single flight turns a caller away. */
class ProblemDetailsTest {

    private static final AutoConfigurations CONFIGURATIONS =
            AutoConfigurations.of(SingleFlightAutoConfiguration.class, SingleFlightWebAutoConfiguration.class);

    private final WebApplicationContextRunner mvc = new WebApplicationContextRunner()
            .withConfiguration(CONFIGURATIONS)
            .withUserConfiguration(Mvc.class)
            .withPropertyValues(
                    "singleflight.max-flights=1",
                    "singleflight.expose-keys=always",
                    "singleflight.shutdown-timeout=1ms")
            .withBean(Controller.class);

    private final ReactiveWebApplicationContextRunner flux = new ReactiveWebApplicationContextRunner()
            .withConfiguration(CONFIGURATIONS)
            .withUserConfiguration(Flux.class)
            .withPropertyValues(
                    "singleflight.max-flights=1",
                    "singleflight.expose-keys=always",
                    "singleflight.shutdown-timeout=1ms")
            .withBean(Controller.class);

    @ParameterizedTest
    @CsvSource({"/flights, 429", "/waiters, 429", "/stopped, 503", "/attempt, 504", "/wait, 504", "/cycle, 500"})
    void refusalsAndTimeoutsHaveTheirStatusAndNeverAKey(String path, int status) {
        mvc.run(context -> assertProblem(client(context), path, status));
        flux.run(context ->
                assertProblem(WebTestClient.bindToApplicationContext(context).build(), path, status));
    }

    @Test
    void adviceOfTheApplicationWins() {
        mvc.withBean(OwnAdvice.class)
                .run(context -> client(context)
                        .get()
                        .uri("/flights")
                        .exchange()
                        .expectStatus()
                        .isEqualTo(418));
        flux.withBean(OwnAdvice.class)
                .run(context -> WebTestClient.bindToApplicationContext(context)
                        .build()
                        .get()
                        .uri("/flights")
                        .exchange()
                        .expectStatus()
                        .isEqualTo(418));
    }

    @Test
    void exceptionOfTheApplicationKeepsItsStatusWhateverCausedIt() {
        mvc.run(context -> assertStatus(client(context), "/own", 409));
        flux.run(context ->
                assertStatus(WebTestClient.bindToApplicationContext(context).build(), "/own", 409));
    }

    @Test
    void switchedOffThereIsNoAdvice() {
        mvc.withPropertyValues("singleflight.web.problem-details=false")
                .run(context -> assertThat(context).doesNotHaveBean(SingleFlightExceptionAdvice.class));
    }

    private static WebTestClient client(ApplicationContext context) {
        return MockMvcWebTestClient.bindToApplicationContext((WebApplicationContext) context)
                .build();
    }

    private static void assertStatus(WebTestClient client, String path, int status) {
        client.get().uri(path).exchange().expectStatus().isEqualTo(status);
    }

    private static void assertProblem(WebTestClient client, String path, int status) {
        client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType("application/problem+json")
                .expectBody(String.class)
                .value(body -> assertThat(body).contains("\"status\":" + status).doesNotContain("secret-key"));
    }

    @EnableWebMvc
    static class Mvc {}

    @EnableWebFlux
    static class Flux {}

    @ControllerAdvice
    static class OwnAdvice {

        @ExceptionHandler
        ResponseEntity<String> own(TooManyFlightsException failure) {
            return ResponseEntity.status(418).body("own");
        }
    }

    @RestController
    static class Controller {

        private static final String KEY = "secret-key";

        private final SingleFlightEngine engine;
        private final CompletableFuture<String> never = new CompletableFuture<>();

        Controller(SingleFlightEngine engine) {
            this.engine = engine;
        }

        @GetMapping("/flights")
        String flights() {
            engine.bind(OperationDefinition.ofAsync("hold", key -> key, key -> never))
                    .callAsync(KEY);
            return engine.call("more", KEY, () -> "");
        }

        @GetMapping("/waiters")
        String waiters() {
            var operation = engine.bind(
                    OperationDefinition.ofAsync("hold", (String key) -> key, key -> never),
                    OperationSettings.builder().maxWaiters(1).build());
            operation.callAsync(KEY);
            return operation.call(KEY);
        }

        @GetMapping("/stopped")
        String stopped() {
            engine.stop();
            return engine.call("any", KEY, () -> "");
        }

        @GetMapping("/attempt")
        String attempt() {
            return engine.bind(
                            OperationDefinition.ofAsync("hold", (String key) -> key, key -> never),
                            OperationSettings.builder()
                                    .timeout(Duration.ofMillis(1))
                                    .build())
                    .call(KEY);
        }

        @GetMapping("/wait")
        String await() {
            return engine.bind(OperationDefinition.ofAsync("hold", (String key) -> key, key -> never))
                    .call(KEY, Duration.ofMillis(1));
        }

        @GetMapping("/own")
        String own() {
            try {
                return stopped();
            } catch (FlightUnavailableException unavailable) {
                throw new OwnException(unavailable);
            }
        }

        @GetMapping("/cycle")
        String cycle() {
            return engine.call("any", KEY, () -> engine.call("any", KEY, () -> ""));
        }
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static class OwnException extends RuntimeException {

        OwnException(Throwable cause) {
            super(cause);
        }
    }
}
