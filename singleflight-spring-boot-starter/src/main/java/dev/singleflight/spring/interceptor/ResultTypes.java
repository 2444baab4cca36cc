package dev.singleflight.spring.interceptor;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Which results can be shared, and how. A result that can be read once only is good for one caller of a flight. */
final class ResultTypes {

    private static final List<Class<?>> READ_ONCE = List.of(
            InputStream.class,
            Reader.class,
            Iterator.class,
            BaseStream.class,
            Enumeration.class,
            Spliterator.class,
            Flow.Publisher.class);

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", ResultTypes.class.getClassLoader());

    private final String where;

    private ResultTypes(String where) {
        this.where = where;
    }

    /**
     * Chooses the style of a method.
     *
     * @throws InvalidSingleFlightException if its result cannot be shared
     */
    static ResultStyle styleOf(String where, Method method, Class<?> targetClass) {
        ResultTypes types = new ResultTypes(where);
        types.checkNotSuspending(method);
        ResolvableType result = ResolvableType.forMethodReturnType(method, targetClass);
        types.check(result, true);
        return types.styleOf(result.resolve(Object.class));
    }

    /**
     * Checks that it can be told when a method has succeeded, for what happens after that.
     *
     * @throws InvalidSingleFlightException if callers cannot be given a result that tells
     */
    static void checkCompletion(String where, Method method, Class<?> targetClass) {
        ResultTypes types = new ResultTypes(where);
        types.checkNotSuspending(method);
        types.checkFuture(
                ResolvableType.forMethodReturnType(method, targetClass).resolve(Object.class));
    }

    private void checkNotSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation")) {
            throw new InvalidSingleFlightException(
                    where + " is a suspend function, which single flight does not support yet",
                    "Return a Mono or a CompletableFuture, or annotate a function that is not suspending");
        }
    }

    private ResultStyle styleOf(Class<?> type) {
        ResultStyle reactive = REACTOR ? ReactorStyle.of(type) : null;
        if (reactive != null) {
            return reactive;
        }
        return checkFuture(type) ? ResultStyle.STAGE : ResultStyle.VALUE;
    }

    /** Whether a type is of futures, of a kind that another future can take the place of. */
    private boolean checkFuture(Class<?> type) {
        if (!Future.class.isAssignableFrom(type) && !CompletionStage.class.isAssignableFrom(type)) {
            return false;
        }
        if (type == Future.class || !type.isAssignableFrom(CompletableFuture.class)) {
            throw refused(
                    type.getName() + ", of which callers cannot be given one each",
                    "Declare CompletableFuture or CompletionStage");
        }
        return true;
    }

    private void check(ResolvableType result, boolean outermost) {
        Class<?> type = result.resolve(Object.class);
        if (type == Optional.class || outermost && comesLater(type)) {
            check(result.getGeneric(0), false);
            return;
        }
        if (comesLater(type)) {
            throw refused(
                    type.getName() + " inside another type, which would be shared and retained itself instead of its"
                            + " value",
                    "Return one future or publisher of the value, such as thenCompose or flatMap make of two");
        }
        for (Class<?> readOnce : READ_ONCE) {
            if (readOnce.isAssignableFrom(type)) {
                throw readOnce(type);
            }
        }
        if (isForeignPublisher(type)) {
            throw readOnce(type);
        }
    }

    /** Whether the value is not there yet when the method returns, as far as callers can be given one each. */
    private static boolean comesLater(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || REACTOR && ReactorStyle.of(type) != null;
    }

    /** Publishers of other libraries than Reactor, as far as Spring knows them. */
    private static boolean isForeignPublisher(@Nullable Class<?> type) {
        return type != null
                && type != Object.class
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    private InvalidSingleFlightException readOnce(Class<?> type) {
        return refused(
                type.getName() + ", which can be read once only, by one of the callers that share it",
                "Return what was read, such as a byte array or a list; for a publisher, a Mono or a Flux");
    }

    private InvalidSingleFlightException refused(String why, String action) {
        return new InvalidSingleFlightException(where + " returns " + why, action);
    }
}
