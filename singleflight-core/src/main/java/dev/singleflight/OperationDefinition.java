package dev.singleflight;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A description of work: its name, which calls are equivalent, and what runs for them. It holds no threads and no state;
 * {@linkplain SingleFlightEngine#bind bind} it to an engine to call it. The idea of keeping definitions in a record of
 * the application, so that parameter and result types run unbroken to the call, is that of the Gleam library
 * SingleFlight.
 *
 * <p>The definition's <em>identity</em> scopes its keys: two definitions never share a flight, even when they are built
 * alike and bear the same name. Create a definition once and keep it.
 *
 * @param <P> type of the parameter
 * @param <R> type of the result
 */
public final class OperationDefinition<P extends @Nullable Object, R extends @Nullable Object> {

    private final String name;
    private final Function<? super P, ?> key;
    private final Work<? super P, ?> work;
    private final boolean async;
    private final @Nullable Consumer<? super P> leading;
    private final @Nullable BiPredicate<? super P, ? super R> notRetained;
    private final @Nullable BiConsumer<? super P, @Nullable Throwable> settled;

    private OperationDefinition(
            String name,
            Function<? super P, ?> key,
            Work<? super P, ?> work,
            boolean async,
            @Nullable Consumer<? super P> leading,
            @Nullable BiPredicate<? super P, ? super R> notRetained,
            @Nullable BiConsumer<? super P, @Nullable Throwable> settled) {
        this.name = checkedName(name);
        this.key = Objects.requireNonNull(key, "key");
        this.work = Objects.requireNonNull(work, "work");
        this.async = async;
        this.leading = leading;
        this.notRetained = notRetained;
        this.settled = settled;
    }

    /**
     * Defines an operation whose work returns its result.
     *
     * @param name label for settings, meters and messages; not blank, no {@code /}
     * @param key gives the key of a parameter, on the calling thread and never under a lock: quick, without side effects,
     *     never null. Keys are compared by {@code equals}; an array as a key is equal to itself only
     * @param work runs once for all callers of a key
     * @param <P> type of the parameter
     * @param <R> type of the result
     * @return the definition, with an identity of its own
     * @throws IllegalArgumentException if the name is blank or has a {@code /}
     */
    public static <P extends @Nullable Object, R extends @Nullable Object> OperationDefinition<P, R> of(
            String name, Function<? super P, ?> key, Work<? super P, ? extends R> work) {
        return new OperationDefinition<>(name, key, work, false, null, null, null);
    }

    /**
     * Defines an operation whose work returns a stage. No thread is held while the stage is under way.
     *
     * @param name label for settings, meters and messages; not blank, no {@code /}
     * @param key gives the key of a parameter, as in {@link #of}
     * @param work starts once for all callers of a key, on the thread that would run it
     * @param <P> type of the parameter
     * @param <R> type of the result
     * @return the definition, with an identity of its own
     * @throws IllegalArgumentException if the name is blank or has a {@code /}
     */
    public static <P extends @Nullable Object, R extends @Nullable Object> OperationDefinition<P, R> ofAsync(
            String name, Function<? super P, ?> key, AsyncWork<? super P, ? extends R> work) {
        Objects.requireNonNull(work, "work");
        return new OperationDefinition<>(name, key, work::start, true, null, null, null);
    }

    /**
     * Describes the same work with something to do first for the caller that leads: on its own thread, once, when it has
     * started a flight and before the first attempt. There it can note in the parameter what the attempts need of that
     * thread.
     *
     * @param leading given the parameter of the flight; where it throws, the flight fails with that
     * @return another definition, with an identity of its own
     */
    public OperationDefinition<P, R> whenLeading(Consumer<? super P> leading) {
        return new OperationDefinition<>(
                name, key, work, async, Objects.requireNonNull(leading, "leading"), notRetained, settled);
    }

    /**
     * Describes the same work with values that are never retained, whatever the settings say.
     *
     * @param notRetained given the parameter of the flight and its value, on the thread that settles it and before its
     *     callers have the value; true for a value that is not to be kept. It must
     *     not call the engine; where it throws, the value is not kept
     * @return another definition, with an identity of its own
     */
    public OperationDefinition<P, R> retainUnless(BiPredicate<? super P, ? super R> notRetained) {
        return new OperationDefinition<>(
                name, key, work, async, leading, Objects.requireNonNull(notRetained, "notRetained"), settled);
    }

    /**
     * Describes the same work with something that is told of the end of each flight, once, on the thread that settles it
     * and before its callers have the outcome. It must be quick; where it throws, nobody is harmed.
     *
     * @param settled given the parameter of the flight and its failure, or null where it succeeded
     * @return another definition, with an identity of its own
     */
    public OperationDefinition<P, R> whenSettled(BiConsumer<? super P, @Nullable Throwable> settled) {
        return new OperationDefinition<>(
                name, key, work, async, leading, notRetained, Objects.requireNonNull(settled, "settled"));
    }

    static String checkedName(String name) {
        if (name.isBlank() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "Invalid operation name ('" + name + "'): must not be blank or contain '/'");
        }
        return name;
    }

    /**
     * Returns the label.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    @Nullable
    Object key(P param) {
        return key.apply(param);
    }

    /** Returns the result, or the stage of asynchronous work. */
    @Nullable
    Object run(@Nullable Object param) throws Throwable {
        return work.run(Casts.unchecked(param));
    }

    boolean hasLeading() {
        return leading != null;
    }

    void lead(@Nullable Object param) {
        if (leading != null) {
            leading.accept(Casts.unchecked(param));
        }
    }

    void settled(@Nullable Object param, @Nullable Throwable failure) {
        try {
            if (settled != null) {
                settled.accept(Casts.unchecked(param), failure);
            }
        } catch (Throwable notTold) {
            // its callers have the outcome all the same
        }
    }

    boolean mayRetain(@Nullable Object param, @Nullable Object value) {
        try {
            return notRetained == null || !notRetained.test(Casts.unchecked(param), Casts.unchecked(value));
        } catch (Throwable undecided) {
            return false;
        }
    }

    boolean isAsync() {
        return async;
    }

    @Override
    public String toString() {
        return "OperationDefinition[" + name + "]";
    }
}
