package dev.singleflight.verification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.EngineSnapshot;
import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.verification.History.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Many threads do whatever a seed says to one engine, and the history of it keeps every rule. */
class FuzzedHistoryTest {

    private static final int THREADS = 8;
    private static final int MAX_FLIGHTS = 12;
    private static final int MAX_ITEMS = 4;

    @Test
    void everyHistoryKeepsTheRules() throws Exception {
        long seed = Long.getLong("fuzz.seed", 0);
        int operations = Integer.getInteger("fuzz.operations", 300_000);
        History history = new History();
        List<Plan> plans = Plan.all();
        List<Operation<Integer, Token>> nested = new ArrayList<>();
        List<OperationDefinition<Integer, Token>> definitions = new ArrayList<>();
        for (Plan plan : plans) {
            definitions.add(Fuzzer.definition(plan, history, nested));
        }
        SingleFlightEngine engine = SingleFlightEngine.builder()
                .maxFlights(MAX_FLIGHTS)
                .cacheMaxItems(MAX_ITEMS)
                .cacheMaxBytes(1_000)
                .resultSizer(value -> 200)
                .listener(new HostileListener())
                .build();
        for (int i = 0; i < 3; i++) {
            nested.add(engine.bind(definitions.get(i), plans.get(i).settings()));
        }

        Phaser pending = new Phaser(1);
        List<Thread> threads = new ArrayList<>();
        List<Fuzzer> fuzzers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Fuzzer fuzzer =
                    new Fuzzer(engine, plans, definitions, history, seed + i, operations / THREADS, threads, pending);
            fuzzers.add(fuzzer);
            threads.add(new Thread(fuzzer, "fuzzer-" + i));
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread watcher = new Thread(() -> watch(engine, history, over), "watcher");
        watcher.start();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(TimeUnit.MINUTES.toMillis(10));
            assertThat(thread.isAlive()).as("a caller hangs, seed %s", seed).isFalse();
        }
        pending.awaitAdvanceInterruptibly(pending.arrive(), 60, TimeUnit.SECONDS);
        over.set(true);
        watcher.join(TimeUnit.SECONDS.toMillis(60));

        assertThat(history.violations).as("seed %s", seed).isEmpty();
        engine.close();
        EngineSnapshot rest = engine.snapshot();
        assertThat(rest.activeFlights()).isZero();
        assertThat(rest.waiters()).isZero();
        assertThat(rest.retainedItems()).isZero();
        assertThat(rest.retainedBytes()).isZero();
        rest.operations().forEach((name, figures) -> {
            assertThat(figures.flights()).isEmpty();
            assertThat(figures.retainedItems()).as(name).isZero();
            assertThat(figures.calls()).as(name).isEqualTo(history.calls(name));
        });
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (engine.snapshot().stuck() > 0) {
            assertThat(System.nanoTime()).as("a worker stays stuck").isLessThan(patience);
            Thread.onSpinWait();
        }
    }

    /** Limits hold at every instant: flights exactly, retained outcomes up to those that settle just now. */
    private static void watch(SingleFlightEngine engine, History history, AtomicBoolean over) {
        while (!over.get()) {
            EngineSnapshot now = engine.snapshot();
            if (now.activeFlights() > MAX_FLIGHTS) {
                history.violations.add("too many flights: " + now);
            }
            if (now.retainedItems() > MAX_ITEMS + MAX_FLIGHTS) {
                history.violations.add("too many retained outcomes: " + now);
            }
        }
    }
}
