package dev.singleflight;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How a flight or an attempt went wrong; a value of the work is never of this type. */
record Failure(Throwable throwable, Kind kind) {

    /** Causes may form a ring; no honest chain is longer. */
    private static final int MAX_CAUSES = 100;

    enum Kind {
        /** The work threw; blocking callers get what it threw as a cause. */
        WORK,
        /** The attempt timed out; callers get the engine's exception as itself. */
        TIMEOUT,
        /** The engine stopped or its executor rejected the attempt; callers get the engine's exception as itself. */
        UNAVAILABLE,
        /** Everybody left; nobody is there to see it. */
        CANCELLED
    }

    static Failure ofWork(Throwable thrown) {
        return new Failure(thrown, Kind.WORK);
    }

    /** Whether the engine refused a call that the work made, however deep. */
    boolean isRefused() {
        return kind == Kind.WORK
                && first(cause -> cause instanceof SingleFlightException own && own.isRefusal()) != null;
    }

    /** Whether the work was interrupted on its own thread: nothing else throws this, as a rule. */
    boolean isInterruption() {
        return kind == Kind.WORK && throwable instanceof InterruptedException;
    }

    /**
     * Whether the work may have been interrupted: that is the cause of what it threw, and not below a report on something
     * else, a flight that the work called or a future that it waited for.
     */
    boolean wrapsInterruption() {
        return kind == Kind.WORK
                && first(cause -> cause instanceof InterruptedException
                                || cause instanceof OperationFailedException
                                || cause instanceof ExecutionException
                                || cause instanceof CompletionException)
                        instanceof InterruptedException;
    }

    /** Throws what a blocking caller gets. */
    @Nullable
    Object raise(Subject subject, Duration elapsed) {
        if (kind != Kind.WORK && throwable instanceof SingleFlightException own) {
            throw own;
        }
        throw new OperationFailedException(subject, elapsed, throwable);
    }

    /** Returns the first of the throwable and its causes that passes the test; null if none does. */
    private @Nullable Throwable first(Predicate<Throwable> test) {
        try {
            Throwable cause = throwable;
            for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
                if (test.test(cause)) {
                    return cause;
                }
            }
        } catch (Throwable hostileCause) {
            // a getCause() of the user's that throws tells nothing
        }
        return null;
    }
}
