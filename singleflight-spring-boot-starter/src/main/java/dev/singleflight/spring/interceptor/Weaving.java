package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.springframework.util.ClassUtils;

/** What AspectJ has done to classes, told by what it leaves in them. */
final class Weaving {

    /** The weaver moves the code of a method that it advises into one of this name. */
    private static final String MOVED_BODY = "_aroundBody";

    private static final ClassValue<Boolean> TOUCHED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
                if (hasMovedBody(declaring)) {
                    return true;
                }
            }
            for (Class<?> implemented : ClassUtils.getAllInterfacesForClass(type)) {
                if (hasMovedBody(implemented)) {
                    return true;
                }
            }
            return false;
        }
    };

    private Weaving() {}

    /** Whether any method that objects of this class have is woven, inherited ones included. */
    static boolean touches(Class<?> type) {
        return TOUCHED.get(type);
    }

    /** Whether this very method is woven with the aspect of single flight. */
    static boolean reaches(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        if (!Modifier.isStatic(method.getModifiers()) && touches(declaring)) {
            for (Method moved : declaring.getDeclaredMethods()) {
                if (moved.getName().startsWith(method.getName() + MOVED_BODY) && isBodyOf(method, moved)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The aspect asks for the join point and hands the rest of the call on, so the weaver adds the one as an argument and
     * calls the body from a class of its own, to which it must not be private. Most other aspects leave private ones.
     */
    private static boolean isBodyOf(Method method, Method moved) {
        Class<?>[] own = method.getParameterTypes();
        Class<?>[] added = moved.getParameterTypes();
        return Modifier.isStatic(moved.getModifiers())
                && !Modifier.isPrivate(moved.getModifiers())
                && added.length == own.length + 2
                && added[0] == method.getDeclaringClass()
                && Arrays.equals(own, Arrays.copyOfRange(added, 1, own.length + 1))
                && added[own.length + 1].getName().equals("org.aspectj.lang.JoinPoint");
    }

    private static boolean hasMovedBody(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().contains(MOVED_BODY)) {
                return true;
            }
        }
        return false;
    }
}
