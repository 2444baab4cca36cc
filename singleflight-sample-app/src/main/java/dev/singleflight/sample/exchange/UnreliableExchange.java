package dev.singleflight.sample.exchange;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * Stands in for somebody else's server, on a port of its own: slow to answer, rate-limited, failing and hanging as its
 * settings say.
 */
@Component
final class UnreliableExchange implements AutoCloseable {

    private static final Map<String, String> PER_EURO = Map.of("GBP", "0.8571", "JPY", "161.35", "USD", "1.0842");
    private static final int MILLIS_TO_ANSWER = 150;
    private static final int MILLIS_TO_HANG_UP = 60_000;

    private final ExchangeSettings settings;
    private final RateLimit limit;
    private final AtomicLong requests = new AtomicLong();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final HttpServer server;

    UnreliableExchange(ExchangeSettings settings) throws IOException {
        this.settings = settings;
        this.limit = new RateLimit(settings.perSecond(), System::nanoTime);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/rates/", this::receive);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** How many requests came. */
    long requests() {
        return requests.get();
    }

    private void receive(HttpExchange request) {
        long number = requests.incrementAndGet();
        if (!limit.admits()) {
            after(0, () -> answer(request, 429, ""));
        } else if (settings.hangs(number)) {
            after(MILLIS_TO_HANG_UP, request::close);
        } else if (settings.fails(number)) {
            after(MILLIS_TO_ANSWER, () -> answer(request, 503, ""));
        } else {
            after(MILLIS_TO_ANSWER, () -> answerWithRate(request));
        }
    }

    private void after(int millis, Runnable answer) {
        Future<?> unused = clock.schedule(answer, millis, TimeUnit.MILLISECONDS);
    }

    private static void answerWithRate(HttpExchange request) {
        String currency = request.getRequestURI().getPath().substring("/rates/".length());
        String perEuro = PER_EURO.get(currency);
        if (perEuro == null) {
            answer(request, 404, "");
        } else {
            answer(request, 200, "{\"currency\": \"%s\", \"perEuro\": %s}".formatted(currency, perEuro));
        }
    }

    private static void answer(HttpExchange request, int status, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        try (request;
                OutputStream body = request.getResponseBody()) {
            request.getResponseHeaders().set("Content-Type", "application/json");
            request.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            body.write(bytes);
        } catch (IOException callerHasGone) {
            // Nobody is left to be told.
        }
    }

    @Override
    public void close() {
        server.stop(0);
        clock.shutdownNow();
    }
}
