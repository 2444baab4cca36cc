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
            timer = flight.timers().schedule(this::timeOut, wait);
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

        private boolean depart(boolean completed) {
            if (completed) {
                disarm();
                leave(Result.CANCELLED);
            }
            return completed;
        }

        void succeed(R value) {
            super.complete(value);
        }

        void fail(Throwable throwable) {
            super.completeExceptionally(throwable);
        }

        @Override
        public boolean complete(R value) {
            return claim() && depart(super.complete(value));
        }

        @Override
        public boolean completeExceptionally(Throwable throwable) {
            Objects.requireNonNull(throwable, "throwable"); // before the claim, which cannot be taken back
            return claim() && depart(super.completeExceptionally(throwable));
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return claim() ? depart(super.cancel(mayInterruptIfRunning)) : isCancelled();
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
            super.obtrudeValue(value);
            depart(claim());
        }

        @Override
        public void obtrudeException(Throwable throwable) {
            super.obtrudeException(throwable);
            depart(claim());
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }
}
