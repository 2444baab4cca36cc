package dev.singleflight.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.singleflight.EngineSnapshot;
import dev.singleflight.SingleFlightEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** What the starter promises holds on this line of Spring Boot. */
@Timeout(60)
class ApplicationTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        SpringApplication application = new SpringApplication(CompatibilityApplication.class);
        application.setMainApplicationClass(CompatibilityApplication.class);
        context = application.run();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void everythingIsAsTheBuildMeantItToBe() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot.version"));
        assertThat(ClassUtils.isPresent("org.aspectj.lang.annotation.Aspect", null))
                .isEqualTo(Boolean.getBoolean("expected.aspectj"));
        assertThat(AotDetector.useGeneratedArtifacts()).isEqualTo(Boolean.getBoolean("spring.aot.enabled"));
        assertThat(SingleFlightEngine.class.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .as("the packaged engine")
                .endsWith(".jar");
    }

    @Test
    void concurrentRequestsShareOneExecution() throws Exception {
        CountDownLatch gate = context.getBean(Users.class).hold();
        List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(HTTP.sendAsync(get("/users/7"), BodyHandlers.ofString()));
        }
        awaitWaiters(10);
        gate.countDown();

        for (CompletableFuture<HttpResponse<String>> request : requests) {
            assertThat(request.get().body()).isEqualTo("user 7");
        }
        assertThat(context.getBean(Users.class).executions()).isEqualTo(1);
    }

    @Test
    void endpointShowsAndForgets() throws Exception {
        CountDownLatch gate = context.getBean(Users.class).hold();
        CompletableFuture<HttpResponse<String>> request = HTTP.sendAsync(get("/users/7"), BodyHandlers.ofString());
        awaitWaiters(1);

        assertThat(body("/actuator/singleflight")).contains("\"state\":\"running\"", "\"Users.profile\":{");
        assertThat(body("/actuator/singleflight/Users.profile")).contains("\"key\":\"7\"", "\"attempt\":1");
        assertThat(status(get("/actuator/singleflight/Unknown.one"))).isEqualTo(404);
        assertThat(status(delete("/actuator/singleflight/Unknown.one?key=7"))).isEqualTo(404);
        assertThat(status(delete("/actuator/singleflight/Users.profile"))).isEqualTo(400);
        assertThat(status(delete("/actuator/singleflight/Users.profile?key=7&all=true")))
                .isEqualTo(400);
        assertThat(status(delete("/actuator/singleflight/Users.profile?key=7"))).isEqualTo(204);
        assertThat(body("/actuator/singleflight")).contains("\"forgotten\":1");

        gate.countDown();
        assertThat(request.get().body()).isEqualTo("user 7");
    }

    @Test
    void metersAreThereAtZero() throws Exception {
        assertThat(body("/actuator/prometheus"))
                .contains("singleflight_retained_items 0.0")
                .containsPattern("singleflight_waiters\\{operation=\"Users.idle\"} 0\\.0")
                .containsPattern("singleflight_calls_seconds_count\\{[^}]*operation=\"Users.idle\"[^}]*} 0");
    }

    @Test
    void propertiesBind() throws Exception {
        assertThat(context.getBean(SingleFlightEngine.class).snapshot().maxItems())
                .isEqualTo(123);
        String settings = body("/actuator/singleflight/Users.profile");
        assertThat(JsonPath.<String>read(settings, "$.settings.timeout.value")).isEqualTo("7s");
        assertThat(JsonPath.<String>read(settings, "$.settings.timeout.source")).isEqualTo("operation");
        assertThat(JsonPath.<Integer>read(settings, "$.settings.retries.value")).isEqualTo(1);
        assertThat(JsonPath.<String>read(settings, "$.settings.retries.source")).isEqualTo("annotation");
    }

    @Test
    void timeoutIsAProblemDetail() throws Exception {
        HttpResponse<String> answer = HTTP.send(get("/slow"), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void applicationIsHealthy() throws Exception {
        assertThat(body("/actuator/health")).contains("\"status\":\"UP\"");
    }

    private static void awaitWaiters(int count) {
        SingleFlightEngine engine = context.getBean(SingleFlightEngine.class);
        for (EngineSnapshot now = engine.snapshot(); now.waiters() != count; now = engine.snapshot()) {
            Thread.yield();
        }
    }

    private static String body(String path) throws IOException, InterruptedException {
        return HTTP.send(get(path), BodyHandlers.ofString()).body();
    }

    private static int status(HttpRequest request) throws IOException, InterruptedException {
        return HTTP.send(request, BodyHandlers.ofString()).statusCode();
    }

    private static HttpRequest get(String path) {
        return to(path).GET().build();
    }

    private static HttpRequest delete(String path) {
        return to(path).DELETE().build();
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path))
                .timeout(Duration.ofSeconds(30));
    }
}
