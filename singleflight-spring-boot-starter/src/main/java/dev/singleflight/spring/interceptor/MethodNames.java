package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** How a method is called in messages and by default as an operation, and its arguments in expressions. */
final class MethodNames {

    private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

    private MethodNames() {}

    /** Such as {@code Users.profile(long)}. */
    static String of(Method method, Class<?> targetClass) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", ofOperation(method, targetClass) + "(", ")"));
    }

    /** The default name of an operation: {@code SimpleClassName.method}. */
    static String ofOperation(Method method, Class<?> targetClass) {
        Class<?> named = Proxy.isProxyClass(targetClass) ? declaringInterface(method, targetClass) : targetClass;
        String simple = named.getSimpleName();
        return (simple.isEmpty() ? ClassUtils.getShortName(named) : simple).replace('/', '_') + "." + method.getName();
    }

    private static Class<?> declaringInterface(Method method, Class<?> targetClass) {
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(targetClass)) {
            if (ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes()) != null) {
                return type;
            }
        }
        return targetClass;
    }

    /**
     * What expressions may call the arguments. Where names are known only of the interface, where the annotation may
     * stand, or differ there, those of the interface hold too.
     */
    static Map<String, Integer> ofArguments(Method method, Class<?> targetClass) {
        Map<String, Integer> positions = new HashMap<>();
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(targetClass)) {
            Method declared = ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes());
            if (declared != null) {
                addNames(declared, positions);
            }
        }
        addNames(method, positions);
        for (int i = 0; i < method.getParameterCount(); i++) {
            positions.put("p" + i, i);
            positions.put("a" + i, i);
        }
        return positions;
    }

    private static void addNames(Method method, Map<String, Integer> positions) {
        String[] names = DISCOVERER.getParameterNames(method);
        for (int i = 0; names != null && i < names.length; i++) {
            String name = names[i];
            if (name != null) {
                positions.put(name, i);
            }
        }
    }
}
