package dev.singleflight.sample.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.singleflight.sample.SampleApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class ProofAtStartTest {

    @Test
    void aThousandCallersCauseOneExecution(CapturedOutput output) {
        try (var application = start("--sample.proof.compare=false")) {
            assertThat(output).contains("Listening on http://localhost:" + port(application));
            assertThat(output).contains("Proved: 1,000 callers, 1 execution, the same answer for all.");
            assertThat(output).containsPattern("single flight on +1,000 +1 +\\d+ +\\d+ +0 +\\d+\\.\\d\\d s");
            assertThat(output).doesNotContain("single flight off");
        }
    }

    @Test
    void theSameLoadWithoutSingleFlightExecutesForEveryCaller(CapturedOutput output) {
        try (var application = start("--sample.proof.callers=20")) {
            assertThat(output).contains("Proved: 20 callers, 1 execution");
            assertThat(output).containsPattern("single flight off +20 +20 +0 +0 +0 +\\d+\\.\\d\\d s");
        }
    }

    @Test
    void theApplicationServesAfterTheProof() throws Exception {
        try (var application = start("--sample.proof.callers=2", "--sample.proof.compare=false")) {
            assertThat(get(application, "/users/7").body()).contains("\"userId\":7", "\"name\":\"Grace Abbott\"");
            assertThat(get(application, "/users/7?shared=false").statusCode()).isEqualTo(200);
            assertThat(get(application, "/users/0").statusCode()).isEqualTo(404);
            assertThat(get(application, "/actuator/singleflight").body()).contains("\"Profiles.profile\"");
        }
    }

    @Test
    void theProofCanBeSkipped(CapturedOutput output) {
        try (var application = start("--proof=false")) {
            assertThat(output).contains("Listening on").doesNotContain("Proof");
        }
    }

    @Test
    void aFailedProofIsCalledFailed(CapturedOutput output) {
        try (var application =
                start("--singleflight.enabled=false", "--sample.proof.callers=20", "--sample.proof.compare=false")) {
            assertThat(output)
                    .contains("NOT PROVED: 20 callers should lead to 1 execution")
                    .contains("The database ran the query 20 times; the engine received 0 calls and started 0 flights.")
                    .doesNotContain("Proved");
        }
    }

    @Test
    void aPortInUseIsNamed(CapturedOutput output) {
        try (var first = start("--proof=false")) {
            assertThatException().isThrownBy(() -> start("--server.port=" + Integer.toString(port(first))));
            assertThat(output).contains("Port " + port(first) + " was already in use");
        }
    }

    @Test
    void anImpossibleNumberOfCallersIsRefused(CapturedOutput output) {
        assertThatException().isThrownBy(() -> start("--sample.proof.callers=0"));
        assertThat(output).contains("Invalid sample.proof.callers (0): must be from 1 to 10000");
    }

    private static ConfigurableApplicationContext start(String... options) {
        return new SpringApplicationBuilder(SampleApplication.class)
                .properties("server.port=0")
                .run(options);
    }

    private static int port(ConfigurableApplicationContext application) {
        return application.getEnvironment().getRequiredProperty("local.server.port", int.class);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path) throws Exception {
        URI uri = URI.create("http://localhost:" + port(application) + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
