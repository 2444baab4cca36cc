package dev.singleflight.benchmarks;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where worker-run flights and their peers run their work. */
public enum WorkerThreads {
    PLATFORM {
        @Override
        ExecutorService executor() {
            return Executors.newCachedThreadPool();
        }
    },

    /** Needs Java 21. */
    VIRTUAL {
        @Override
        ExecutorService executor() throws ReflectiveOperationException {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        }
    };

    abstract ExecutorService executor() throws ReflectiveOperationException;
}
