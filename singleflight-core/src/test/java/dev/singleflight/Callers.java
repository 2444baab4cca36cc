package dev.singleflight;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Threads of a test that are blocked in calls of an engine. */
final class Callers {

    private Callers() {}

    /** Starts callers and returns once each of them is parked in its call, together with those that are there already. */
    static <T> List<Threads.Running<T>> parked(SingleFlightEngine engine, int callers, Callable<T> call)
            throws Exception {
        int before = engine.snapshot().waiters();
        List<Threads.Running<T>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            all.add(Threads.run(call));
        }
        Await.until(() -> engine.snapshot().waiters() == before + callers);
        for (Threads.Running<T> caller : all) {
            untilParked(caller.thread());
        }
        return all;
    }

    static <T> Threads.Running<T> parked(SingleFlightEngine engine, Callable<T> call) throws Exception {
        return parked(engine, 1, call).get(0);
    }

    static void untilParked(Thread thread) throws Exception {
        Await.until(() -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }
}
