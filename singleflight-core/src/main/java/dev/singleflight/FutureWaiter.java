package dev.singleflight;

import dev.singleflight.FlightListener.Result;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A caller that holds a future. */
final class FutureWaiter<R extends @Nullable Object> extends AsyncWaiter {

    final CompletableFuture<R> future = new Promise();

    private volatile @Nullable Future<?> timer;

    FutureWaiter(Operation<?, ?> operation, Flight flight, Role role, long start) {
        super(operation, flight, role, start);
    }

    void arm(long wait) {
        if (wait > 0 && !isGone()) {
            timer = flight.operation.engine.timers.schedule(this::timeOut, wait);
            if (isGone()) {
                disarm();
            }
        }
    }

    private void timeOut() {
        if (claim()) {
            leave(Result.WAIT_TIMEOUT);
            fail(new WaitTimeoutException(operation.subject(flight.key), operation.engine.elapsed(start)));
        }
    }

    private void disarm() {
        Future<?> armed = timer;
        if (armed != null) {
            armed.cancel(false);
        }
    }

    @Override
    void deliver(@Nullable Object result) {
        disarm();
        if (result instanceof Failure failure) {
            fail(failure.throwable());
        } else {
            ((Promise) future).succeed(Casts.unchecked(result));
        }
    }

    private void fail(Throwable throwable) {
        ((Promise) future).fail(throwable);
    }

    /** The caller may complete it as it likes; it has then left the flight. */
    private final class Promise extends CompletableFuture<R> {

        /** Leaves the flight before the future is completed: its dependents find that done. */
        private boolean depart() {
            if (!claim()) {
                return false;
            }
            disarm();
            leave(Result.CANCELLED);
            return true;
        }

        void succeed(R value) {
            super.complete(value);
        }

        void fail(Throwable throwable) {
            super.completeExceptionally(throwable);
        }

        @Override
        public boolean complete(R value) {
            return depart() && super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable throwable) {
            Objects.requireNonNull(throwable, "throwable"); // before the claim, which cannot be taken back
            return depart() && super.completeExceptionally(throwable);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return depart() ? super.cancel(mayInterruptIfRunning) : isCancelled();
        }

        @Override
        public CompletableFuture<R> completeAsync(Supplier<? extends R> supplier, Executor executor) {
            executor.execute(() -> {
                try {
                    complete(supplier.get());
                } catch (Throwable thrown) {
                    completeExceptionally(thrown);
                }
            });
            return this;
        }

        @Override
        public void obtrudeValue(R value) {
            depart();
            super.obtrudeValue(value);
        }

        @Override
        public void obtrudeException(Throwable throwable) {
            depart();
            super.obtrudeException(throwable);
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }
}
