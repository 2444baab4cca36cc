package dev.singleflight.spring.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.ResolvableType;

/**
 * What a native image must keep for annotated methods: the methods, which are called by reflection, and what expressions
 * such as {@code #user.id} or {@code #result.id} may ask of their parameters and results.
 */
final class ExpressionHints implements ReflectiveProcessor {

    private static final Set<String> REACTOR = Set.of("reactor.core.publisher.Mono", "reactor.core.publisher.Flux");

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
        registerMembers(hints, ResolvableType.forMethodReturnType(method));
        for (int i = 0; i < method.getParameterCount(); i++) {
            registerMembers(hints, ResolvableType.forMethodParameter(method, i));
        }
    }

    private static void registerMembers(ReflectionHints hints, ResolvableType declared) {
        if (declared.isArray()) {
            registerMembers(hints, declared.getComponentType());
            return;
        }
        Class<?> type = declared.resolve(Object.class);
        if (!type.isPrimitive() && type != Object.class) {
            hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        if (isWrapper(type) && !(declared.getType() instanceof TypeVariable)) { // which may wrap itself
            registerMembers(hints, declared.getGeneric(0));
        }
    }

    /** Whether {@code #result} is what is inside; of a flux it is the list, of which expressions may ask the elements. */
    private static boolean isWrapper(Class<?> type) {
        return type == Optional.class
                || CompletionStage.class.isAssignableFrom(type)
                || REACTOR.contains(type.getName());
    }
}
