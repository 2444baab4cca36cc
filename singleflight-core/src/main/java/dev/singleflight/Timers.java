package dev.singleflight;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One daemon thread that signals when a time has come. Whatever the signal sets off, user code included, runs on a
 * worker: nothing can hold up the timers, unless no worker can be had. The thread starts with the first timer and ends when there is none.
 */
class Timers {

    private static final System.Logger LOGGER = System.getLogger(SingleFlightEngine.class.getName());
    private static final long IDLE_SECONDS = 10;

    private final Executor workers;
    private final ScheduledThreadPoolExecutor thread;

    Timers(Executor workers) {
        this.workers = workers;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread timer = new Thread(null, task, "singleflight-timer", 0, false);
            timer.setDaemon(true);
            return timer;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** The clock that delays are measured with. */
    long nanoTime() {
        return System.nanoTime();
    }

    /** Runs the action on a worker after the delay; returns null in a closed engine. */
    final @Nullable Future<?> schedule(Runnable action, long nanos) {
        return signal(() -> handOver(action), nanos);
    }

    /** Runs a few steps of the engine's own on the timer thread after the delay. */
    @Nullable
    Future<?> signal(Runnable steps, long nanos) {
        try {
            return thread.schedule(steps, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return null;
        }
    }

    /** Runs the action on a worker now; here where there is none, since somebody waits for it. */
    final void handOver(Runnable action) {
        try {
            workers.execute(action);
        } catch (Throwable noWorker) {
            try {
                action.run();
            } catch (Throwable thrown) {
                LOGGER.log(Level.ERROR, "A timer of the engine failed", thrown);
            }
        }
    }

    /** Ends the thread; what it is about to signal goes through, what is set for later does not. */
    void shutdown() {
        thread.shutdown();
    }
}
