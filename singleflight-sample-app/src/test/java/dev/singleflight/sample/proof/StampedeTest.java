package dev.singleflight.sample.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpServer;
import dev.singleflight.sample.proof.Answers.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StampedeTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void allRequestsAreUnderWayAtOnce() throws Exception {
        CyclicBarrier all = new CyclicBarrier(50);
        server.createContext("/", exchange -> {
            try {
                all.await(30, TimeUnit.SECONDS);
            } catch (Exception missing) {
                throw new IOException(missing);
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes());
            exchange.close();
        });

        Answers answers = run("/", 50);

        assertThat(answers.counts())
                .containsOnlyKeys(new Answer("200 OK", "ok"))
                .containsValue(50);
        assertThat(answers.allAlike()).isTrue();
        assertThat(answers.failed()).isZero();
        assertThat(answers.wallTime()).isPositive();
    }

    @Test
    void differentAnswersAreCountedApart() throws Exception {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('0' + requests.getAndIncrement() % 2);
            exchange.close();
        });

        Answers answers = run("/", 10);

        assertThat(answers.allAlike()).isFalse();
        assertThat(answers.counts()).hasSize(2).containsEntry(new Answer("200 OK", "1"), 5);
    }

    @Test
    void failuresAreCountedByStatus() throws Exception {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(requests.getAndIncrement() < 3 ? 503 : 200, -1);
            exchange.close();
        });

        Answers answers = run("/", 10);

        assertThat(answers.failed()).isEqualTo(3);
        assertThat(answers.failures()).hasSize(1).containsEntry("status 503 Service Unavailable", 3);
    }

    @Test
    void brokenConnectionsAreFailures() throws Exception {
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.close();
        });

        Answers answers = run("/", 10);

        assertThat(answers.failures()).hasSize(1).containsEntry("no answer", 10);
    }

    @Test
    void nobodyListening() {
        int port = server.getAddress().getPort();
        server.stop(0);

        assertThatIOException().isThrownBy(() -> Stampede.run(port, "/", 10, answered -> {}));
    }

    private Answers run(String path, int callers) throws IOException {
        return Stampede.run(server.getAddress().getPort(), path, callers, answered -> {});
    }
}
