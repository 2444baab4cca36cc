package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import org.springframework.util.ClassUtils;

/** What AspectJ has done to classes, told by what it leaves in them. */
final class Weaving {

    /** The weaver moves the code of a method that it advises into one of this name. */
    private static final String MOVED_BODY = "_aroundBody";

    private static final ClassValue<Boolean> TOUCHED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
                if (hasMovedBody(declaring, MOVED_BODY)) {
                    return true;
                }
            }
            for (Class<?> implemented : ClassUtils.getAllInterfacesForClass(type)) {
                if (hasMovedBody(implemented, MOVED_BODY)) {
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

    /** Whether this very method is woven; an overloaded one counts for all that bear its name. */
    static boolean reaches(Method method) {
        return touches(method.getDeclaringClass())
                && hasMovedBody(method.getDeclaringClass(), method.getName() + MOVED_BODY);
    }

    private static boolean hasMovedBody(Class<?> type, String text) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().contains(text)) {
                return true;
            }
        }
        return false;
    }
}
