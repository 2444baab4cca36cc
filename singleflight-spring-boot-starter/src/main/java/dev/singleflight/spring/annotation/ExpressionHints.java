package dev.singleflight.spring.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * What a native image must keep for annotated methods: the methods, which are called by reflection, and what expressions
 * such as {@code #user.id} or {@code #result.id} may ask of their parameters and results.
 */
final class ExpressionHints implements ReflectiveProcessor {

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            register(hints, method);
        } else if (element instanceof Class<?> type) {
            hints.registerType(type);
            for (Method method : type.getMethods()) {
                if (method.getDeclaringClass() != Object.class) {
                    register(hints, method);
                }
            }
        }
    }

    private static void register(ReflectionHints hints, Method method) {
        hints.registerMethod(method, ExecutableMode.INVOKE);
        registerMembers(hints, method.getReturnType());
        for (Class<?> parameter : method.getParameterTypes()) {
            registerMembers(hints, parameter);
        }
    }

    private static void registerMembers(ReflectionHints hints, Class<?> type) {
        if (!type.isPrimitive() && !type.isArray() && type != Object.class) {
            hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
