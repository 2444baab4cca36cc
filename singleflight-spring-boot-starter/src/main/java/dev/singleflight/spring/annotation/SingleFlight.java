package dev.singleflight.spring.annotation;

import dev.singleflight.RetryOn;
import dev.singleflight.RunOn;
import dev.singleflight.WhenAbandoned;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Lets concurrent calls of a method that have the same key share one execution and its outcome. On a class or an
 * interface it holds for every public method of it; the annotation nearest to the method wins as a whole. It may be a
 * meta-annotation whose attributes are set through {@link AliasFor}.
 *
 * <p>An attribute that is left at its default (an empty string, -1, an empty array) is not set here: it inherits from
 * {@code singleflight.defaults.*}. {@code singleflight.operations.<name>.*} overrides what is set here, each attribute by
 * itself. Strings may hold placeholders ({@code ${...}}). Durations are written {@code 500ms}, {@code 2s},
 * {@code PT0.5S} or {@code none}.
 *
 * <p>The method runs on a worker thread unless {@link #runOn} says otherwise, without the caller's transaction,
 * security context or other thread-bound state, because its outcome is for every caller. What it throws arrives at
 * every caller as it was thrown.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective(ExpressionHints.class)
public @interface SingleFlight {

    /**
     * Alias of {@link #key}.
     *
     * @return the expression
     */
    @AliasFor("key")
    String value() default "";

    /**
     * What makes two calls equivalent, in SpEL: {@code #name}, {@code #p0} and {@code #a0} are arguments,
     * {@code #root.method}, {@code #root.target}, {@code #root.targetClass} and {@code #root.args} describe the call,
     * {@code @bean} is a bean. By default it is the argument itself where there is one, null included, and otherwise the
     * list of all arguments. Arrays count by their content. A key that is null is refused.
     *
     * @return the expression
     */
    @AliasFor("value")
    String key() default "";

    /**
     * A name to share keys under, whatever the method or bean; all methods that bear it must have one result type. By
     * default each method of each bean object is an operation by itself, named {@code SimpleClassName.method}.
     *
     * @return the name, without {@code /}
     */
    String operation() default "";

    /**
     * Whether single flight applies to a call, in SpEL with the variables of {@link #key}. Where it gives false the method
     * runs by itself.
     *
     * @return the expression
     */
    String condition() default "";

    /**
     * Limit of one attempt.
     *
     * @return a duration
     */
    String timeout() default "";

    /**
     * How long a caller waits before it leaves; the flight goes on.
     *
     * @return a duration
     */
    String waitTimeout() default "";

    /**
     * How many attempts may follow the first one.
     *
     * @return zero or more
     */
    int retries() default -1;

    /**
     * Pause before the first retry.
     *
     * @return a duration
     */
    String retryDelay() default "";

    /**
     * Factor from one pause to the next.
     *
     * @return 1 or more
     */
    double retryMultiplier() default -1;

    /**
     * Longest pause.
     *
     * @return a duration
     */
    String retryMaxDelay() default "";

    /**
     * Share of a pause by which it varies at random.
     *
     * @return 0 to 1
     */
    double retryJitter() default -1;

    /**
     * Which ends of an attempt are retried.
     *
     * @return at most one value
     */
    RetryOn[] retryOn() default {};

    /**
     * The throwables that are retried.
     *
     * @return classes, subclasses included; empty for all
     */
    Class<? extends Throwable>[] retryFor() default {};

    /**
     * The throwables that are never retried.
     *
     * @return classes, subclasses included
     */
    Class<? extends Throwable>[] noRetryFor() default {};

    /**
     * How long a value is kept for later callers.
     *
     * @return a duration, {@code none} or {@code until-evicted}
     */
    String cacheFor() default "";

    /**
     * How long a failure is kept for later callers.
     *
     * @return a duration, {@code none} or {@code until-evicted}
     */
    String cacheErrorsFor() default "";

    /**
     * Which values are not kept, in SpEL with the variables of {@link #key} and {@code #result}, which is the value inside
     * an {@code Optional}, a future or a {@code Mono}.
     *
     * @return the expression; a value for which it gives true is not kept
     */
    String cacheUnless() default "";

    /**
     * How many callers may be attached to one flight, its leader included.
     *
     * @return at least 1
     */
    int maxWaiters() default -1;

    /**
     * Whose thread runs the attempts.
     *
     * @return at most one value
     */
    RunOn[] runOn() default {};

    /**
     * What becomes of a flight that every caller left.
     *
     * @return at most one value
     */
    WhenAbandoned[] whenAbandoned() default {};
}
