package dev.singleflight.compatibility;

import dev.singleflight.spring.annotation.SingleFlight;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

@Component
public class Users implements Directory {

    private final AtomicInteger executions = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    @SingleFlight(key = "#userId", retries = 1)
    public String profile(long userId) throws InterruptedException {
        executions.incrementAndGet();
        gate.await();
        return "user " + userId;
    }

    @SingleFlight(key = "#user.id", timeout = "10ms")
    public String slow(User user) throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    @SingleFlight
    public void idle() {}

    /** Holds every execution until the gate that is returned is open. */
    public CountDownLatch hold() {
        gate = new CountDownLatch(1);
        executions.set(0);
        return gate;
    }

    public int executions() {
        return executions.get();
    }

    public record User(long id) {}
}
