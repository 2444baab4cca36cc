package dev.singleflight.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Forgets what single flight knows under a key, or under all keys of an operation, after the annotated method has
 * succeeded: retained outcomes go, callers that wait keep theirs, the next caller starts afresh. Where a transaction is
 * active it waits for the commit, and does nothing on a rollback; for a future or a publisher it waits for completion.
 *
 * <p>Give either {@link #key} or {@link #allKeys}. It may stand several times on one method.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(ExpressionHints.class)
@Repeatable(ForgetFlight.Container.class)
public @interface ForgetFlight {

    /**
     * Name of the operation. Where several identities bear it, all of them forget.
     *
     * @return the name; placeholders allowed
     */
    String operation();

    /**
     * The key to forget, in SpEL with the variables of {@link SingleFlight#key} and {@code #result}; evaluated after the
     * method has succeeded.
     *
     * @return the expression
     */
    String key() default "";

    /**
     * Whether every key goes.
     *
     * @return true to forget the whole operation
     */
    boolean allKeys() default false;

    /** Holds several {@link ForgetFlight} annotations. */
    @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Reflective(ExpressionHints.class)
    @interface Container {

        /**
         * The annotations.
         *
         * @return in the order in which they stand
         */
        ForgetFlight[] value();
    }
}
