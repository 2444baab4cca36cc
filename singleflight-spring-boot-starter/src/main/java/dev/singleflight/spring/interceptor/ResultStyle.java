package dev.singleflight.spring.interceptor;

import dev.singleflight.Operation;
import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationFailedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How a method gives its result, and hence how its callers are served. */
abstract class ResultStyle {

    /** Returns the value, to the thread that calls. */
    static final ResultStyle VALUE = new ResultStyle() {

        @Override
        @SuppressWarnings("NullAway") // a null result is a result
        OperationDefinition<FlightCall, @Nullable Object> define(String name) {
            return hooked(OperationDefinition.of(name, FlightCall::key, FlightCall::attempt));
        }

        @Override
        @Nullable
        Object call(Operation<FlightCall, @Nullable Object> operation, FlightCall call) throws Throwable {
            try {
                return operation.call(call);
            } catch (OperationFailedException failed) {
                Throwable thrown = failed.getCause();
                throw thrown == null ? failed : thrown;
            }
        }

        @Override
        CompletionStage<?> stageOf(@Nullable Object returned, FlightCall call) {
            throw new IllegalStateException("A value is no stage");
        }
    };

    /** Returns a future or a stage. */
    static final ResultStyle STAGE = new ResultStyle() {

        @Override
        OperationDefinition<FlightCall, @Nullable Object> define(String name) {
            return hooked(OperationDefinition.ofAsync(name, FlightCall::key, FlightCall::start));
        }

        @Override
        CompletableFuture<?> call(Operation<FlightCall, @Nullable Object> operation, FlightCall call) {
            return operation.callAsync(call);
        }

        @Override
        @Nullable
        CompletionStage<?> stageOf(@Nullable Object returned, FlightCall call) {
            return (CompletionStage<?>) returned;
        }
    };

    /** A definition for a method of this style; every definition of a style does the same for the call it is given. */
    abstract OperationDefinition<FlightCall, @Nullable Object> define(String name);

    private static OperationDefinition<FlightCall, @Nullable Object> hooked(
            OperationDefinition<FlightCall, @Nullable Object> definition) {
        return definition
                .whenLeading(FlightCall::lead)
                .retainUnless(FlightCall::isNotRetained)
                .whenSettled(FlightCall::settled);
    }

    abstract @Nullable Object call(Operation<FlightCall, @Nullable Object> operation, FlightCall call) throws Throwable;

    /** The stage of an attempt, from what the method has returned. */
    abstract @Nullable CompletionStage<?> stageOf(@Nullable Object returned, FlightCall call);

    /** What users mean by the result: the value inside an {@code Optional}. */
    static @Nullable Object unwrapped(@Nullable Object result) {
        return result instanceof Optional<?> optional ? optional.orElse(null) : result;
    }
}
