package dev.singleflight.sample.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.boot.test.context.SpringBootTest.WebEnvironment.RANDOM_PORT;

import dev.singleflight.SingleFlightEngine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(
        webEnvironment = RANDOM_PORT,
        properties = {
            "proof=false",
            "sample.exchange.fail-every=0",
            "sample.exchange.hang-every=0",
            "sample.exchange.per-second=1000",
            "singleflight.operations.exchange-rate.timeout=30s",
            "singleflight.operations.reactive-exchange-rate.timeout=30s"
        })
class ExchangeOverHttpTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @Autowired
    private UnreliableExchange exchange;

    @Autowired
    private SingleFlightEngine engine;

    @LocalServerPort
    private int port;

    @BeforeEach
    void forgetOtherTests() {
        engine.forgetAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rates/USD", "/reactive/rates/USD"})
    void callersShareOneRequestToTheExchange(String path) {
        long before = exchange.requests();

        List<CompletableFuture<HttpResponse<String>>> answers =
                IntStream.range(0, 20).mapToObj(caller -> get(path)).toList();

        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.join().body()).isEqualTo("{\"currency\":\"USD\",\"perEuro\":1.0842}"));
        assertThat(exchange.requests() - before).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rates/XXX", "/reactive/rates/XXX"})
    void anUnknownCurrencyIsNotFound(String path) {
        long before = exchange.requests();

        HttpResponse<String> answer = get(path).join();

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("The exchange does not know this currency");
        assertThat(exchange.requests() - before).isEqualTo(1);
    }

    private CompletableFuture<HttpResponse<String>> get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }
}
