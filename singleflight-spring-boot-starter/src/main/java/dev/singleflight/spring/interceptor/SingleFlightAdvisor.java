package dev.singleflight.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/** Puts the interceptor before annotated methods. A bean of the infrastructure role, so that every proxy creator sees it. */
public final class SingleFlightAdvisor implements PointcutAdvisor, Ordered {

    /** Inside method security; outside transactions, caching and resilience, which do not set an order of their own. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private final SingleFlightInterceptor interceptor;
    private final Pointcut pointcut;
    private final int order;

    /**
     * Creates the advisor.
     *
     * @param methods the annotated methods of the context
     * @param order place among the advisors of a bean
     */
    public SingleFlightAdvisor(AnnotatedMethods methods, int order) {
        this.interceptor = new SingleFlightInterceptor(methods);
        this.pointcut = new Annotated(methods);
        this.order = order;
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return interceptor;
    }

    @Override
    public int getOrder() {
        return order;
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        private final AnnotatedMethods methods;

        Annotated(AnnotatedMethods methods) {
            this.methods = methods;
        }

        @Override
        public ClassFilter getClassFilter() {
            return type -> AnnotatedMethods.isCandidate(type) && canBeProxied(type);
        }

        /** A final class that has no interface is left to the checks at start-up, which say more than the proxy factory. */
        private static boolean canBeProxied(Class<?> type) {
            return !Modifier.isFinal(type.getModifiers()) || ClassUtils.getAllInterfacesForClass(type).length > 0;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return methods.find(method, targetClass) != null;
        }
    }
}
