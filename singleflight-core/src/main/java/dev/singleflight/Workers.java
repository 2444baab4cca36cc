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
 * is ever queued, so flights that wait for flights cannot starve each other. They take nothing over from the caller in
 * whose call they happen to start, no inheritable thread-local either: the work of others runs on them.
 */
final class Workers {

    private static final String NAME = "singleflight-worker-";
    private static final long IDLE_SECONDS = 10;

    private Workers() {}

    static ExecutorService create(boolean preferVirtual) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ThreadFactory virtual = preferVirtual ? virtualThreads() : null;
        if (virtual != null) {
            ExecutorService perTask = threadPerTask(task -> of(virtual.newThread(task), loader));
            if (perTask != null) {
                return perTask;
            }
        }
        AtomicLong number = new AtomicLong();
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(null, task, NAME + number.getAndIncrement(), 0, false);
                    thread.setDaemon(true);
                    return of(thread, loader);
                });
    }

    private static Thread of(Thread thread, @Nullable ClassLoader engineLoader) {
        thread.setContextClassLoader(engineLoader);
        return thread;
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
