package dev.singleflight.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.Threads;
import dev.singleflight.spring.annotation.SingleFlight;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.json.JsonAssert;
import org.springframework.test.json.JsonCompareMode;

/** The endpoint as its users see it: over HTTP, in a running application. */
class EndpointTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext context;

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void getShowsEngineAndOperations() throws Exception {
        start();
        context.getBean(Users.class).name(7);
        context.getBean(Users.class).name(7);

        HttpResponse<String> response = send("GET", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertJson(response.body(), """
                {"engine": {"state": "running", "activeFlights": 0, "waiters": 0, "stuck": 0, "maxFlights": 10000,
                            "retainedItems": 1, "maxItems": 10000},
                 "operations": {
                   "Users.name": {"activeFlights": 0, "waiters": 0, "retainedItems": 1, "calls": 2, "executions": 1,
                     "joined": 0, "retainedHits": 1, "retries": 0, "failures": 0, "timeouts": 0, "waitTimeouts": 0,
                     "interrupted": 0, "cancelled": 0, "rejected": 0, "forgotten": 0},
                   "Users.slow": {"activeFlights": 0, "waiters": 0, "retainedItems": 0, "calls": 0, "executions": 0,
                     "joined": 0, "retainedHits": 0, "retries": 0, "failures": 0, "timeouts": 0, "waitTimeouts": 0,
                     "interrupted": 0, "cancelled": 0, "rejected": 0, "forgotten": 0}}}""");
    }

    @Test
    void bytesAreShownWhereTheyAreBounded() throws Exception {
        start("--singleflight.cache.max-bytes=1MB");
        context.getBean(Users.class).name(7);

        assertThat(send("GET", "").body()).contains("\"maxBytes\":1048576", "\"retainedBytes\":");
    }

    @Test
    void getOfAnOperationShowsSettingsWithTheirSourcesAndHidesKeys() throws Exception {
        start(
                "--singleflight.defaults.timeout=2s",
                "--singleflight.operations.[Users.slow].retries=1",
                "--singleflight.operations.[Users.slow].run-on=leader");
        CompletableFuture<String> caller =
                Threads.start(() -> context.getBean(Users.class).slow("secret"));
        Contexts.awaitWaiters(context, 1);

        HttpResponse<String> response = send("GET", "/Users.slow");
        context.getBean(CountDownLatch.class).countDown();

        assertThat(caller.get()).isEqualTo("secret");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).doesNotContain("secret");
        assertThat(response.body().replaceAll("\"ageMillis\":\\d+", "\"ageMillis\":0"))
                .satisfies(body -> assertJson(body, """
                        {"activeFlights": 1, "waiters": 1, "retainedItems": 0, "calls": 1, "executions": 1, "joined": 0,
                         "retainedHits": 0, "retries": 0, "failures": 0, "timeouts": 0, "waitTimeouts": 0,
                         "interrupted": 0, "cancelled": 0, "rejected": 0, "forgotten": 0,
                         "settings": {
                           "timeout": {"value": "2s", "source": "defaults"},
                           "waitTimeout": {"value": "none", "source": "defaults"},
                           "retries": {"value": 1, "source": "operation"},
                           "retryDelay": {"value": "1500ms", "source": "annotation"},
                           "retryMultiplier": {"value": 1.0, "source": "defaults"},
                           "retryMaxDelay": {"value": "none", "source": "defaults"},
                           "retryJitter": {"value": 0.0, "source": "defaults"},
                           "retryOn": {"value": "failures-and-timeouts", "source": "defaults"},
                           "retryFor": {"value": [], "source": "defaults"},
                           "noRetryFor": {"value": ["java.lang.IllegalStateException"], "source": "annotation"},
                           "cacheFor": {"value": "none", "source": "defaults"},
                           "cacheErrorsFor": {"value": "none", "source": "defaults"},
                           "maxWaiters": {"value": 10000, "source": "defaults"},
                           "runOn": {"value": "leader", "source": "operation"},
                           "whenAbandoned": {"value": "continue", "source": "defaults"}},
                         "flights": [
                           {"key": "******", "state": "running", "attempt": 1, "ageMillis": 0, "waiters": 1}]}"""));
    }

    @Test
    void keysAreShownWhereAllowedUnlessAFunctionHidesThem() throws Exception {
        start("--management.endpoint.singleflight.show-values=always");
        Users users = context.getBean(Users.class);
        CompletableFuture<String> shown = Threads.start(() -> users.slow("shown"));
        CompletableFuture<String> hidden = Threads.start(() -> users.slow("hidden"));
        Contexts.awaitWaiters(context, 2);

        String body = send("GET", "/Users.slow").body();
        context.getBean(CountDownLatch.class).countDown();

        assertThat(shown.get() + hidden.get()).isEqualTo("shownhidden");
        assertThat(body).contains("\"key\":\"shown\"", "\"key\":\"******\"").doesNotContain("hidden");
    }

    @Test
    void unknownOperationIsNotFound() throws Exception {
        start("--management.endpoint.singleflight.access=unrestricted");

        assertThat(send("GET", "/unknown").statusCode()).isEqualTo(404);
        assertThat(send("DELETE", "/unknown?key=7").statusCode()).isEqualTo(404);
    }

    @Test
    void deleteIsClosedUnlessOpened() throws Exception {
        start();

        assertThat(send("DELETE", "/Users.name?all=true").statusCode()).isEqualTo(405);
    }

    @Test
    void deleteForgetsByTheTextOfAKeyWhateverItsType() throws Exception {
        start("--management.endpoint.singleflight.access=unrestricted");
        Users users = context.getBean(Users.class);
        String before = users.name(7);
        String other = users.name(8);

        assertThat(send("DELETE", "/Users.name?key=7").statusCode()).isEqualTo(204);

        assertThat(users.name(7)).isNotSameAs(before);
        assertThat(users.name(8)).isSameAs(other);
    }

    @Test
    void deleteForgetsTheWholeOperation() throws Exception {
        start("--management.endpoint.singleflight.access=unrestricted");
        Users users = context.getBean(Users.class);
        String before = users.name(7);

        assertThat(send("DELETE", "/Users.name?all=true").statusCode()).isEqualTo(204);

        assertThat(users.name(7)).isNotSameAs(before);
    }

    @Test
    void deleteWantsEitherAKeyOrAll() throws Exception {
        start("--management.endpoint.singleflight.access=unrestricted");

        assertThat(send("DELETE", "/Users.name").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/Users.name?all=false").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/Users.name?all=true&key=7").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/Users.name?all=false&key=7").statusCode()).isEqualTo(400);
    }

    private void start(String... arguments) {
        String[] all = new String[arguments.length + 3];
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        all[0] = "--server.port=0";
        all[1] = "--management.endpoints.web.exposure.include=*";
        all[2] = "--spring.main.banner-mode=off";
        context = SpringApplication.run(Application.class, all);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port")
                + "/actuator/singleflight" + path);
        return http.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void assertJson(String actual, String expected) {
        JsonAssert.comparator(JsonCompareMode.STRICT).assertIsMatch(expected, actual);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        CountDownLatch gate() {
            return new CountDownLatch(1);
        }

        @Bean
        Users users(CountDownLatch gate) {
            return new Users(gate);
        }

        @Bean
        SanitizingFunction hidden() {
            return data -> "singleflight.Users.slow.key".equals(data.getKey()) && "hidden".equals(data.getValue())
                    ? data.withSanitizedValue()
                    : data;
        }
    }

    static class Users {

        private final CountDownLatch gate;

        Users(CountDownLatch gate) {
            this.gate = gate;
        }

        @SingleFlight(cacheFor = "until-evicted")
        String name(long id) {
            return new String("user");
        }

        @SingleFlight(retryDelay = "1500ms", noRetryFor = IllegalStateException.class)
        String slow(String id) throws InterruptedException {
            gate.await();
            return id;
        }
    }
}
