package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocking inside the engine never pins a virtual thread to its carrier. */
@Timeout(120)
class VirtualThreadPinningTest {

    private static final String PINNED = "jdk.VirtualThreadPinned";

    @TempDir
    private Path directory;

    @BeforeEach
    void needsVirtualThreads() {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(21);
    }

    private static <T> CompletableFuture<T> startVirtual(Callable<T> action) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(action.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        };
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        start.invoke(null, task);
        return result;
    }

    private List<RecordedEvent> pinnedDuring(Callable<?> action) throws Exception {
        Path file = directory.resolve("pinned.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            action.call();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED))
                .toList();
    }

    private static Void useTheEngine(int threads) throws Exception {
        for (RunOn runOn : RunOn.values()) {
            try (SingleFlightEngine engine = SingleFlightEngine.builder()
                    .cacheMaxItems(50)
                    .defaults(OperationSettings.builder()
                            .runOn(runOn)
                            .retries(1)
                            .cacheFor(Retention.of(Duration.ofMillis(1)))
                            .build())
                    .build()) {
                Operation<Integer, Integer> inner = engine.bind(OperationDefinition.of("inner", id -> id, id -> id));
                Operation<Integer, Integer> operation =
                        engine.bind(OperationDefinition.of("load", id -> id, id -> inner.call(id % 10) + id));
                CountDownLatch start = new CountDownLatch(1);
                List<CompletableFuture<Integer>> callers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    int id = i % 200;
                    callers.add(startVirtual(() -> {
                        start.await();
                        return operation.call(id)
                                - id % 10
                                - id
                                + operation.call(id, Duration.ofSeconds(30))
                                - id % 10
                                - id;
                    }));
                }
                start.countDown();
                for (CompletableFuture<Integer> caller : callers) {
                    assertThat(Futures.get(caller)).isZero();
                }
            }
        }
        return null;
    }

    @Test
    void noneOfThousandsOfVirtualThreadsIsPinned() throws Exception {
        useTheEngine(100);

        List<RecordedEvent> pinned = pinnedDuring(() -> useTheEngine(5_000));

        assertThat(pinned)
                .filteredOn(event -> event.getStackTrace() != null
                        && event.getStackTrace().getFrames().stream()
                                .anyMatch(frame ->
                                        frame.getMethod().getType().getName().startsWith("dev.singleflight.")))
                .isEmpty();
    }

    @Test
    void aThreadThatIsPinnedWouldBeSeen() throws Exception {
        List<RecordedEvent> pinned = pinnedDuring(() -> Futures.get(startVirtual(() -> Pins.value)));

        assertThat(pinned).isNotEmpty();
    }

    /** A class initializer that blocks pins its thread. */
    private static final class Pins {

        static final Object value = block();

        private static Object block() {
            LockSupport.parkNanos(20_000_000);
            return "initialized";
        }
    }
}
