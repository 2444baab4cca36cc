package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A definition's identity, and neither its name nor its settings, scopes keys. */
@Timeout(60)
class OperationIdentityTest {

    @AutoClose
    private final SingleFlightEngine engine = SingleFlightEngine.builder().build();

    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void oneKeyInTwoOperationsLeadsToTwoFlightsWithTheirOwnTypes() throws Exception {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        Operation<Integer, String> names = engine.bind(OperationDefinition.of("name", id -> id, id -> {
            bothRun.await();
            return "seven";
        }));
        Operation<Integer, Long> sums = engine.bind(OperationDefinition.of("sum", id -> id, id -> {
            bothRun.await();
            return 7L;
        }));

        CompletableFuture<String> name = names.callAsync(7);
        CompletableFuture<Long> sum = sums.callAsync(7);

        assertThat(Futures.get(name)).isEqualTo("seven");
        assertThat(Futures.get(sum)).isEqualTo(7L);
    }

    @Test
    void definitionsBuiltAlikeAreTwoNamespacesWhoseFiguresAddUp() throws Exception {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        Work<Integer, Object> work = id -> {
            bothRun.await();
            return new Object();
        };
        Operation<Integer, Object> one = engine.bind(OperationDefinition.of("load", id -> id, work));
        Operation<Integer, Object> other = engine.bind(OperationDefinition.of("load", id -> id, work));

        CompletableFuture<Object> ofOne = one.callAsync(7);
        CompletableFuture<Object> ofOther = other.callAsync(7);

        assertThat(Futures.get(ofOne)).isNotSameAs(Futures.get(ofOther));
        assertThat(engine.snapshot().operations()).containsOnlyKeys("load");
        assertThat(engine.snapshot().operations().get("load").executions()).isEqualTo(2);
    }

    @Test
    void handlesOfOneDefinitionShareItsFlightsUnderTheFirstCallersSettings() throws Exception {
        OperationDefinition<Integer, Object> definition = OperationDefinition.of("load", id -> id, id -> {
            gate.await();
            throw new IllegalStateException();
        });
        Operation<Integer, Object> patient = engine.bind(
                definition, OperationSettings.builder().retries(2).maxWaiters(2).build());
        Operation<Integer, Object> strict = engine.bind(
                definition, OperationSettings.builder().maxWaiters(1).build());

        CompletableFuture<Outcome<Object>> first = Threads.start(() -> patient.callForOutcome(7));
        Await.waiters(engine, 1);
        CompletableFuture<Outcome<Object>> second = Threads.start(() -> strict.callForOutcome(7));
        Await.waiters(engine, 2);
        assertThat(Futures.failureOf(patient.callAsync(7))).isInstanceOf(TooManyWaitersException.class);
        gate.countDown();

        assertThat(Futures.get(first).attempts()).isEqualTo(3);
        assertThat(Futures.get(second).attempts()).isEqualTo(3);
        assertThat(Futures.get(second).role()).isEqualTo(Role.JOINED);
    }

    @Test
    void aRetainedOutcomeServesHandlesThatRetainNothing() {
        OperationDefinition<Integer, Object> definition = OperationDefinition.of("load", id -> id, id -> new Object());
        Operation<Integer, Object> retaining = engine.bind(
                definition,
                OperationSettings.builder().cacheFor(Retention.untilEvicted()).build());
        Operation<Integer, Object> plain = engine.bind(definition);

        assertThat(plain.call(7)).isNotSameAs(plain.call(7));
        Object retained = retaining.call(7);
        assertThat(plain.call(7)).isSameAs(retained);
        assertThat(plain.callForOutcome(7).role()).isEqualTo(Role.RETAINED);
    }

    @Test
    void anOperationBoundAgainMeetsTheFlightsOfTheFirstHandle() throws Exception {
        OperationDefinition<Integer, Object> definition = OperationDefinition.of("load", id -> id, id -> {
            gate.await();
            return new Object();
        });

        CompletableFuture<Object> first = engine.bind(definition).callAsync(7);
        CompletableFuture<Object> second = engine.bind(definition).callAsync(7);
        gate.countDown();

        assertThat(Futures.get(second)).isSameAs(Futures.get(first));
    }

    @Test
    void oneDefinitionOnTwoEnginesHasTwoNamespaces() throws Exception {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        OperationDefinition<Integer, Object> definition = OperationDefinition.of("load", id -> id, id -> {
            bothRun.await();
            return new Object();
        });

        try (SingleFlightEngine second = SingleFlightEngine.builder().build()) {
            CompletableFuture<Object> here = engine.bind(definition).callAsync(7);
            CompletableFuture<Object> there = second.bind(definition).callAsync(7);

            assertThat(Futures.get(here)).isNotSameAs(Futures.get(there));
        }
    }
}
