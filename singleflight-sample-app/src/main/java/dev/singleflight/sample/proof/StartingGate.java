package dev.singleflight.sample.proof;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Holds the requests of a round back until the last one has arrived, so that they are concurrent on slow machines too.
 * Only those that bear its header are held, and none for longer than {@value #PATIENCE_SECONDS} seconds.
 */
@Component
final class StartingGate extends OncePerRequestFilter {

    static final String HEADER = "Starting-Gate";

    private static final int PATIENCE_SECONDS = 30;

    private volatile Round round = new Round(0);

    /** Closes the gate until so many requests stand before it. */
    void closeUntil(int requests) {
        round = new Round(requests);
    }

    /** Turns away whoever still stands there: its caller has gone. */
    void abandon() {
        round.abandoned = true;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getHeader(HEADER) == null || round.admits()) {
            chain.doFilter(request, response);
        } else {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
    }

    /**
     * The last to arrive completes a future, which wakes all who wait for it at once. In a latch or barrier each thread
     * wakes the next one, and where a thousand do so on a busy machine, the last one starts seconds after the first.
     */
    private static final class Round {

        private final AtomicInteger missing;
        private final CompletableFuture<Void> open = new CompletableFuture<>();
        private volatile boolean abandoned;

        Round(int requests) {
            missing = new AtomicInteger(requests);
        }

        /** Blocks until all have arrived; false if they do not come, or are too late. */
        boolean admits() {
            if (missing.decrementAndGet() <= 0) {
                open.complete(null);
            }
            try {
                open.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return !abandoned;
            } catch (TimeoutException | ExecutionException tooFew) {
                return false;
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
