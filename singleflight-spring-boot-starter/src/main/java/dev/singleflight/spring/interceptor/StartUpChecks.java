package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Reads the annotations of every bean's class once all singletons are there, also of beans that nobody has asked for yet:
 * what cannot work is said before the first call, and every operation is known from the start.
 */
public final class StartUpChecks implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final AnnotatedMethods methods;

    /**
     * Creates the checks.
     *
     * @param beans the beans to look at
     * @param methods what is known of their methods
     */
    public StartUpChecks(ConfigurableListableBeanFactory beans, AnnotatedMethods methods) {
        this.beans = beans;
        this.methods = methods;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = typeOf(name);
            if (type != null) {
                methods.readAll(type);
            }
        }
        methods.announce();
    }

    private @Nullable Class<?> typeOf(String name) {
        Object singleton = beans.getSingleton(name);
        Class<?> type = singleton == null ? beans.getType(name, false) : AopUtils.getTargetClass(singleton);
        return type == null ? null : ClassUtils.getUserClass(type);
    }
}
