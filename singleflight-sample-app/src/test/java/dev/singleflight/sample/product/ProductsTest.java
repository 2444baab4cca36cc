package dev.singleflight.sample.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.boot.test.context.SpringBootTest.WebEnvironment.RANDOM_PORT;

import dev.singleflight.OperationSnapshot;
import dev.singleflight.SingleFlightEngine;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest(webEnvironment = RANDOM_PORT, properties = "proof=false")
class ProductsTest {

    @Autowired
    private Products products;

    @Autowired
    private SingleFlightEngine engine;

    @Autowired
    private TransactionTemplate transaction;

    @LocalServerPort
    private int port;

    @BeforeEach
    void forgetOtherTests() {
        engine.forgetAll();
        products.changePrice(1, new BigDecimal("5.95"));
    }

    @Test
    void aPageIsKept() {
        long before = executions();

        ProductPage page = products.page(1).orElseThrow();

        assertThat(page.name()).isEqualTo("Oak lamp");
        assertThat(page.boughtTogether()).hasSize(5).doesNotContain("Oak lamp");
        assertThat(products.page(1)).containsSame(page);
        assertThat(executions() - before).isEqualTo(1);
    }

    @Test
    void aNewPriceIsSeenAtOnce() {
        assertThat(price()).isEqualByComparingTo("5.95");

        products.changePrice(1, new BigDecimal("6.50"));

        assertThat(price()).isEqualByComparingTo("6.50");
    }

    @Test
    void aPriceThatIsRolledBackForgetsNothing() {
        ProductPage page = products.page(1).orElseThrow();

        transaction.executeWithoutResult(status -> {
            products.changePrice(1, new BigDecimal("7.50"));
            status.setRollbackOnly();
        });

        assertThat(products.page(1)).containsSame(page);
    }

    @Test
    void theOtherPagesStay() {
        ProductPage other = products.page(2).orElseThrow();

        products.changePrice(1, new BigDecimal("6.50"));

        assertThat(products.page(2)).containsSame(other);
    }

    @Test
    void servedOverHttp() throws Exception {
        assertThat(send(request("/products/1").GET()).body()).contains("\"price\":5.95");

        assertThat(send(request("/products/1/price").PUT(BodyPublishers.ofString("6.5")))
                        .statusCode())
                .isEqualTo(204);
        assertThat(send(request("/products/1").GET()).body()).contains("\"price\":6.50");
        assertThat(send(request("/products/0").GET()).statusCode()).isEqualTo(404);
        assertThat(send(request("/products/0/price").PUT(BodyPublishers.ofString("6.5")))
                        .statusCode())
                .isEqualTo(404);
    }

    private BigDecimal price() {
        return products.page(1).orElseThrow().price();
    }

    private long executions() {
        OperationSnapshot figures = engine.snapshot().operations().get("product-page");
        return figures == null ? 0 : figures.executions();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
