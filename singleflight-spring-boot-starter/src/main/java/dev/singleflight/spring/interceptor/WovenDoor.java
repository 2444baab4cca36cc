package dev.singleflight.spring.interceptor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ReflectionUtils;

/**
 * Where woven methods find the application context that serves them. AspectJ has one aspect for each class loader, so
 * this is the one place with static state: the contexts that are there, of which the first serves.
 *
 * <p>Which executions are calls that nobody else has caught is decided in {@link #enter}. Not caught again are those that
 * came through a proxy, those on a proxy (whose target is woven as well), bridges to the method meant, and calls of
 * {@code super} from an overriding method that is woven itself.
 */
public final class WovenDoor implements ApplicationListener<ContextRefreshedEvent>, DisposableBean {

    private static final Log LOGGER = LogFactory.getLog(WovenDoor.class);

    private static final List<WovenDoor> DOORS = new CopyOnWriteArrayList<>();

    private final AnnotatedMethods methods;
    private final ApplicationContext context;

    /**
     * Opens a door.
     *
     * @param methods what is known of annotated methods
     * @param context whose they are
     */
    public WovenDoor(AnnotatedMethods methods, ApplicationContext context) {
        this.methods = methods;
        this.context = context;
        DOORS.add(this);
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        WovenDoor first = first();
        if (event.getApplicationContext() == context && first != null && first != this && isWoven()) {
            LOGGER.warn("Woven @SingleFlight methods are served by the application context "
                    + first.context.getDisplayName() + ", which was there first. In " + context.getDisplayName()
                    + " calls that do not come through a proxy use the engine, settings and key contributors of that"
                    + " one: close it before, or give each context a class loader of its own");
        }
    }

    @Override
    public void destroy() {
        DOORS.remove(this);
    }

    /**
     * Runs an execution that AspectJ has caught.
     *
     * @param method the method whose code is about to run
     * @param target the object it runs on
     * @param arguments its arguments
     * @param code runs it, as often as wanted and on any thread
     * @return what its caller gets
     * @throws Throwable what its caller gets
     */
    public static @Nullable Object enter(
            Method method, @Nullable Object target, @Nullable Object[] arguments, Body code) throws Throwable {
        WovenDoor door = first();
        if (door == null || target == null || method.isBridge()) {
            return code.run();
        }
        if (target instanceof SpringProxy) {
            return onTarget(method, target, arguments, code);
        }
        MethodAdvice advice = door.methods.find(method, target.getClass());
        if (advice == null) {
            return code.run();
        }
        if (Passage.leadsTo(advice.method(), target)) {
            return Passage.leave(code);
        }
        boolean superCall = !advice.method().equals(method) && Weaving.reaches(advice.method());
        return superCall ? code.run() : door.run(advice, target, arguments, code);
    }

    /** A final method runs on the proxy itself, where no field is set; its caller means the object behind. */
    private static @Nullable Object onTarget(Method method, Object proxy, @Nullable Object[] arguments, Body code)
            throws Throwable {
        Object target = method.getDeclaringClass() == proxy.getClass() ? null : AopProxyUtils.getSingletonTarget(proxy);
        if (target == null) {
            return code.run();
        }
        try {
            ReflectionUtils.makeAccessible(method);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private @Nullable Object run(MethodAdvice advice, Object target, @Nullable Object[] arguments, Body code)
            throws Throwable {
        if (advice.forgets().isEmpty()) {
            return fly(advice.flight(), target, arguments, code);
        }
        Forgetting forgetting = methods.forgetting(advice, advice.method(), target, arguments);
        return forgetting.after(fly(advice.flight(), target, arguments, code));
    }

    private static @Nullable Object fly(
            @Nullable FlightPlan flight, Object target, @Nullable Object[] arguments, Body code) throws Throwable {
        return flight == null ? code.run() : flight.run(new WovenCall(flight, target, arguments, code, null));
    }

    private boolean isWoven() {
        return methods.all().stream().anyMatch(advice -> Weaving.touches(advice.targetClass()));
    }

    private static @Nullable WovenDoor first() {
        for (WovenDoor door : DOORS) {
            return door;
        }
        return null;
    }
}
