package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ad-hoc calls are keyed by their name and key together. */
@Timeout(60)
class AdHocCallsTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder()
            .override(
                    "kept",
                    OperationSettings.builder()
                            .cacheFor(Retention.untilEvicted())
                            .build())
            .build();

    private final AtomicInteger executions = new AtomicInteger();

    @Test
    void callsOfOneNameAndKeyShareOneExecution() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Object> first = Threads.start(() -> engine.call("rates", "EUR", () -> {
            gate.await();
            return new Object();
        }));
        Await.waiters(engine, 1);
        CompletableFuture<Object> second =
                Threads.start(() -> engine.call("rates", "EUR", executions::incrementAndGet));
        Await.waiters(engine, 2);
        gate.countDown();

        assertThat(Futures.get(second)).isSameAs(Futures.get(first));
        assertThat(executions).hasValue(0);
    }

    @Test
    void anotherNameOrAnotherKeyIsAnotherFlight() throws Exception {
        CyclicBarrier allRun = new CyclicBarrier(3);
        CompletableFuture<Integer> eur = Threads.start(() -> engine.call("rates", "EUR", allRun::await));
        CompletableFuture<Integer> usd = Threads.start(() -> engine.call("rates", "USD", allRun::await));
        CompletableFuture<Integer> names = Threads.start(() -> engine.call("names", "EUR", allRun::await));

        assertThat(Futures.get(eur) + Futures.get(usd) + Futures.get(names)).isEqualTo(3);
    }

    @Test
    void aDefinitionOfTheSameNameIsNeverMet() throws Exception {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        Operation<String, Integer> defined =
                engine.bind(OperationDefinition.of("rates", key -> key, key -> bothRun.await()));
        CompletableFuture<Integer> ofDefinition = defined.callAsync("EUR");
        CompletableFuture<Integer> adHoc = Threads.start(() -> engine.call("rates", "EUR", bothRun::await));

        assertThat(Futures.get(ofDefinition) + Futures.get(adHoc)).isEqualTo(1);
        assertThat(engine.snapshot().operations().get("rates").executions()).isEqualTo(2);
    }

    @Test
    void forgettingConcernsAdHocKeysOnly() {
        Operation<String, Object> defined =
                engine.bind(OperationDefinition.of("kept", key -> key, key -> new Object()));
        Object ofDefinition = defined.call("EUR");
        Object adHoc = engine.call("kept", "EUR", Object::new);
        assertThat(engine.<Object>call("kept", "EUR", Object::new)).isSameAs(adHoc);

        engine.forget("kept", "USD");
        engine.forget("rates", "EUR");
        assertThat(engine.<Object>call("kept", "EUR", Object::new)).isSameAs(adHoc);
        engine.forget("kept", "EUR");

        assertThat(engine.<Object>call("kept", "EUR", Object::new)).isNotSameAs(adHoc);
        assertThat(defined.call("EUR")).isSameAs(ofDefinition);
    }

    @Test
    void failuresComeAsTheyDoThroughAnOperation() {
        Exception thrown = new Exception("no rates");

        assertThatExceptionOfType(OperationFailedException.class)
                .isThrownBy(() -> engine.call("rates", "EUR", () -> {
                    throw thrown;
                }))
                .withMessageStartingWith("Operation 'rates' failed")
                .withCause(thrown);
    }

    @Test
    void aNullKeyIsRefusedNamingTheOperation() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.call("rates", null, Object::new))
                .withMessageContaining("'rates'")
                .withMessageContaining("null key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.forget("rates", null))
                .withMessageContaining("'rates'");
        assertThat(engine.snapshot().operations().get("rates").rejected()).isEqualTo(1);
    }

    @Test
    void aNameThatIsNoLabelIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.call("a/b", 1, Object::new))
                .withMessage("Invalid operation name ('a/b'): must not be blank or contain '/'");
        assertThatIllegalArgumentException().isThrownBy(() -> engine.call(" ", 1, Object::new));
    }

    @Test
    void figuresOfNamesBeyondTheFirstThousandAddUpAsOther() {
        for (int i = 0; i < 1_010; i++) {
            engine.call("name" + i, 1, Object::new);
        }

        assertThat(engine.snapshot().operations()).hasSize(1_001);
        assertThat(engine.snapshot().operations().get("other").executions()).isEqualTo(10);
        assertThat(engine.snapshot().operations().get("name999").executions()).isEqualTo(1);
    }

    @Test
    void namesBeyondTheFirstThousandStillKeepTheirKeysApartAndTheirSettings() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            engine.call("name" + i, 1, Object::new);
        }
        Object retained = engine.call("kept", 1, Object::new);
        CyclicBarrier bothRun = new CyclicBarrier(2);
        CompletableFuture<Integer> one = Threads.start(() -> engine.call("late1", 1, bothRun::await));
        CompletableFuture<Integer> other = Threads.start(() -> engine.call("late2", 1, bothRun::await));

        assertThat(Futures.get(one) + Futures.get(other)).isEqualTo(1);
        assertThat(engine.<Object>call("kept", 1, Object::new)).isSameAs(retained);
        assertThatExceptionOfType(OperationFailedException.class)
                .isThrownBy(() -> engine.call("late1", 1, () -> {
                    throw new Exception();
                }))
                .satisfies(failed -> assertThat(failed.getOperation()).isEqualTo("late1"));
    }
}
