package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * What an expression of an annotation sees as {@code #root}. Public for the sake of compiled expressions.
 *
 * @param method the annotated method
 * @param target the object it is called on
 * @param targetClass the class of that object
 * @param args the arguments
 */
@SuppressWarnings("ArrayRecordComponent")
public record CallRoot(
        Method method,
        Object target,
        Class<?> targetClass,
        @Nullable Object[] args) {}
