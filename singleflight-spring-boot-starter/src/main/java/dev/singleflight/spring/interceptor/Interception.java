package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.util.ClassUtils;

/** Whether anything stands between the callers of a bean and its annotated methods. */
final class Interception {

    private static final String ACTION = "Change that, have the class woven by AspectJ, or remove the annotation;"
            + " singleflight.start-up-checks=warn turns this failure into a warning";

    private final Class<?> type;
    private final @Nullable Object singleton;

    Interception(Class<?> type, @Nullable Object singleton) {
        this.type = type;
        this.singleton = singleton;
    }

    void check(MethodAdvice advice, List<InvalidSingleFlightException> problems) {
        String reason = reason(advice.method());
        if (reason != null) {
            problems.add(new InvalidSingleFlightException(
                    advice.annotation() + " on " + MethodNames.of(advice.method(), type) + " has no effect: " + reason,
                    ACTION));
        }
    }

    private @Nullable String reason(Method method) {
        if (singleton != null && Mocks.isMock(singleton)) {
            return null;
        }
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers)) {
            return "the method is static, and only methods of objects are intercepted";
        }
        if (Weaving.reaches(method)) {
            return null;
        }
        if (Modifier.isPrivate(modifiers)) {
            return "the method is private, and a proxy does not intercept private methods";
        }
        boolean byClass = singleton == null
                ? !Proxy.isProxyClass(type)
                : singleton instanceof SpringProxy && ClassUtils.isCglibProxy(singleton);
        if (byClass && Modifier.isFinal(modifiers)) {
            return "the method is final, and a proxy does not intercept final methods";
        }
        if (singleton == null) {
            return null;
        }
        if (!(singleton instanceof SpringProxy)) {
            return Modifier.isFinal(modifiers) || Modifier.isFinal(type.getModifiers())
                    ? "its class or the method is final, so the bean could not be proxied"
                    : "the bean is not proxied; it was probably created too early, because a bean post-processor or"
                            + " another bean of the infrastructure needs it";
        }
        if (singleton instanceof Advised advised && !isAdvised(advised)) {
            return "the bean is proxied, but was created too early for single flight, because a bean post-processor or"
                    + " another bean of the infrastructure needs it";
        }
        if (Proxy.isProxyClass(singleton.getClass()) && !isOfAnInterface(method)) {
            return "the bean is proxied by its interfaces, and none of them has the method";
        }
        return null;
    }

    private static boolean isAdvised(Advised advised) {
        for (Advisor advisor : advised.getAdvisors()) {
            if (advisor instanceof SingleFlightAdvisor) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfAnInterface(Method method) {
        return ClassUtils.getInterfaceMethodIfPossible(method, null) != method
                || method.getDeclaringClass().isInterface();
    }
}
