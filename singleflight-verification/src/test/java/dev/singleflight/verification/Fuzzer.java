package dev.singleflight.verification;

import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationFailedException;
import dev.singleflight.Outcome;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.SingleFlightException;
import dev.singleflight.verification.History.Broken;
import dev.singleflight.verification.History.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Calls an engine from one thread in whatever way a seed says, and notes in the history what came of it. */
final class Fuzzer implements Runnable {

    private static final int KEYS = 3;

    private final SingleFlightEngine engine;
    private final List<Plan> plans;
    private final List<Operation<Integer, Token>> operations = new ArrayList<>();
    private final History history;
    private final Random random;
    private final int steps;

    /** Threads that may be interrupted by others: those of all fuzzers. */
    private final List<Thread> threads;

    /** One party for each future or callback that has not been heard of. */
    private final Phaser pending;

    Fuzzer(
            SingleFlightEngine engine,
            List<Plan> plans,
            List<OperationDefinition<Integer, Token>> definitions,
            History history,
            long seed,
            int steps,
            List<Thread> threads,
            Phaser pending) {
        this.engine = engine;
        this.plans = plans;
        this.history = history;
        this.random = new Random(seed);
        this.steps = steps;
        this.threads = threads;
        this.pending = pending;
        for (int i = 0; i < plans.size(); i++) {
            operations.add(engine.bind(definitions.get(i), plans.get(i).settings()));
        }
    }

    /** Work that now and then is slow, fails, ignores its interrupt, or calls another operation. */
    static OperationDefinition<Integer, Token> definition(
            Plan plan, History history, List<Operation<Integer, Token>> nested) {
        return OperationDefinition.of(plan.name(), key -> key, key -> {
            long started = history.executionStarts(plan, key);
            boolean interrupted = false;
            Token token;
            try {
                ThreadLocalRandom dice = ThreadLocalRandom.current();
                int what = dice.nextInt(100);
                if (what < 10) {
                    LockSupport.parkNanos(dice.nextInt(3_000_000));
                } else if (what < 13) {
                    Thread.sleep(dice.nextInt(6));
                } else if (what < 15) {
                    long end = System.nanoTime() + 4_000_000;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                } else if (what < 25 && !nested.isEmpty()) {
                    Operation<Integer, Token> other = nested.get(dice.nextInt(nested.size()));
                    history.callerComes(other.name());
                    other.call(dice.nextInt(KEYS), Duration.ofMillis(20));
                }
            } catch (InterruptedException thrown) {
                interrupted = true;
            } catch (SingleFlightException refusedOrFailed) {
                // the nested call is judged by its own plan where it is made from a fuzzer
            } finally {
                token = history.executionEnds(plan, key, started);
            }
            if (interrupted) {
                throw new InterruptedException();
            }
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                throw new Broken(token);
            }
            return token;
        });
    }

    @Override
    public void run() {
        for (int step = 0; step < steps; step++) {
            int which = random.nextInt(plans.size());
            step(plans.get(which), operations.get(which), random.nextInt(KEYS));
            Thread.interrupted();
        }
    }

    private void step(Plan plan, Operation<Integer, Token> operation, int key) {
        int what = random.nextInt(100);
        if (what < 4 && plan.isForgotten()) {
            long began = history.now();
            if (what == 0) {
                operation.forgetAll();
                for (int every = 0; every < KEYS; every++) {
                    history.forgot(plan, every, began);
                }
            } else {
                operation.forget(key);
                history.forgot(plan, key, began);
            }
            return;
        }
        if (what < 7) {
            threads.get(random.nextInt(threads.size())).interrupt();
            return;
        }
        long forgotten = history.forgottenBy(plan, key);
        history.callerComes(plan.name());
        long called = history.now();
        if (what < 45) {
            blocking(plan, operation, key, called, forgotten, null);
        } else if (what < 60) {
            blocking(plan, operation, key, called, forgotten, Duration.ofNanos(random.nextInt(2_000_000)));
        } else if (what < 95) {
            future(plan, operation, key, called, forgotten);
        } else {
            send(plan, operation, key, called, forgotten);
        }
    }

    private void blocking(
            Plan plan, Operation<Integer, Token> operation, int key, long called, long forgotten, Duration wait) {
        try {
            Outcome<Token> outcome = wait == null ? operation.callForOutcome(key) : operation.callForOutcome(key, wait);
            judge(plan, key, called, forgotten, outcome.isSuccess() ? outcome.value() : outcome.failure());
        } catch (SingleFlightException refusedOrGone) {
            judge(plan, key, called, forgotten, refusedOrGone);
        }
    }

    private void future(Plan plan, Operation<Integer, Token> operation, int key, long called, long forgotten) {
        pending.register();
        CompletableFuture<Token> future = random.nextBoolean()
                ? operation.callAsync(key)
                : operation.callAsync(key, Duration.ofNanos(1 + random.nextInt(2_000_000)));
        future.whenComplete((token, thrown) -> {
            judge(plan, key, called, forgotten, thrown == null ? token : thrown);
            pending.arriveAndDeregister();
        });
        if (random.nextInt(4) == 0) {
            future.cancel(true);
        }
    }

    private void send(Plan plan, Operation<Integer, Token> operation, int key, long called, long forgotten) {
        try {
            operation.send(key, token -> judge(plan, key, called, forgotten, token));
        } catch (SingleFlightException refused) {
            judge(plan, key, called, forgotten, refused);
        }
    }

    private void judge(Plan plan, int key, long called, long forgotten, Object got) {
        if (got instanceof Token token) {
            history.delivered(plan, key, called, forgotten, token);
        } else if (got instanceof Broken broken) {
            history.delivered(plan, key, called, forgotten, broken.token);
        } else if (got instanceof OperationFailedException
                || !(got instanceof SingleFlightException
                        || got instanceof InterruptedException
                        || got instanceof java.util.concurrent.CancellationException)) {
            history.violations.add("caller of " + plan + " key " + key + " got " + got);
        }
    }
}
