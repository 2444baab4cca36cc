package dev.singleflight;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The engine's own threads: virtual ones where the JVM has them, otherwise daemon threads that start on demand. Nothing
 * is ever queued, so flights that wait for flights cannot starve each other. A thread starts for some caller and works
 * for others later, so it inherits nothing of the one that happens to start it: no inheritable thread-locals, and the
 * context class loader of the thread that built the engine.
 */
final class Workers {

    private static final String NAME = "singleflight-worker-";
    private static final long IDLE_SECONDS = 10;

    private Workers() {}

    static ExecutorService create(boolean preferVirtual) {
        ClassLoader classes = Thread.currentThread().getContextClassLoader();
        ThreadFactory virtual = preferVirtual ? virtualThreads() : null;
        if (virtual != null) {
            ExecutorService perTask = threadPerTask(task -> {
                Thread thread = virtual.newThread(task);
                thread.setContextClassLoader(classes);
                return thread;
            });
            if (perTask != null) {
                return perTask;
            }
        }
        AtomicLong number = new AtomicLong();
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(null, task, NAME + number.getAndIncrement(), 0, false);
                    thread.setContextClassLoader(classes);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** {@code Thread.ofVirtual().name(NAME, 0).inheritInheritableThreadLocals(false).factory()}, which needs Java 21. */
    private static @Nullable ThreadFactory virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            builder = type.getMethod("name", String.class, long.class).invoke(builder, NAME, 0L);
            builder = type.getMethod("inheritInheritableThreadLocals", boolean.class)
                    .invoke(builder, false);
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException olderJava) {
            return null;
        }
    }

    private static @Nullable ExecutorService threadPerTask(ThreadFactory factory) {
        try {
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
        } catch (ReflectiveOperationException olderJava) {
            return null;
        }
    }
}
