package dev.singleflight.spring.interceptor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Reads the annotations of every bean's class once all singletons are there, also of beans that nobody has asked for yet:
 * what cannot work is said before the first call, and every operation is known from the start.
 */
public final class StartUpChecks implements SmartInitializingSingleton {

    private static final Log LOGGER = LogFactory.getLog(StartUpChecks.class);

    private final ConfigurableListableBeanFactory beans;
    private final AnnotatedMethods methods;
    private final boolean fail;
    private final Collection<String> configured;

    /**
     * Creates the checks.
     *
     * @param beans the beans to look at
     * @param methods what is known of their methods
     * @param fail whether an annotation without effect fails the start of the application; otherwise it is a warning
     * @param configured names of operations that have properties
     */
    public StartUpChecks(
            ConfigurableListableBeanFactory beans,
            AnnotatedMethods methods,
            boolean fail,
            Collection<String> configured) {
        this.beans = beans;
        this.methods = methods;
        this.fail = fail;
        this.configured = List.copyOf(configured);
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<InvalidSingleFlightException> problems = new ArrayList<>();
        Set<Class<?>> seen = new java.util.HashSet<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Object singleton = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (singleton != null) {
                check(typeOf(singleton), singleton, seen, problems);
            }
            if (singleton == null || singleton instanceof FactoryBean) {
                check(beans.getType(name, false), null, seen, problems);
            }
        }
        announce();
        Set<String> known =
                new TreeSet<>(methods.context().engine().snapshot().operations().keySet());
        methods.all().forEach(advice -> advice.forgets().forEach(forget -> check(forget, known, problems)));
        report(problems);
        configured.stream().filter(name -> !known.contains(name)).forEach(name -> warn(name, known));
    }

    /** The class of the object behind a proxy of its own; a factory is not taken for what its product is a proxy of. */
    private static Class<?> typeOf(Object singleton) {
        boolean behind = singleton instanceof SpringProxy && !(singleton instanceof ScopedObject);
        return behind ? AopUtils.getTargetClass(singleton) : singleton.getClass();
    }

    private void check(
            @Nullable Class<?> declared,
            @Nullable Object singleton,
            Set<Class<?>> seen,
            List<InvalidSingleFlightException> problems) {
        if (declared == null || ScopedObject.class.isAssignableFrom(declared)) {
            return; // the target of a scoped one is another bean
        }
        Class<?> type = ClassUtils.getUserClass(declared);
        if (AnnotatedMethods.isCandidate(type)) {
            methods.readAll(type);
            Interception interception = new Interception(type, singleton);
            methods.of(type).forEach(advice -> interception.check(advice, problems));
            if (seen.add(type)) {
                methods.of(type).forEach(OrderNotes::log);
            }
        }
    }

    private void announce() {
        for (MethodAdvice advice : methods.all()) {
            FlightPlan flight = advice.flight();
            if (flight != null) {
                flight.announce();
            }
        }
    }

    private static void check(ForgetPlan forget, Set<String> known, List<InvalidSingleFlightException> problems) {
        if (!known.contains(forget.operation)) {
            problems.add(new InvalidSingleFlightException(
                    forget.where + ": operation = \"" + forget.operation + "\" is unknown; "
                            + NearestNames.of(forget.operation, known),
                    "Correct the name; an operation of code must be bound before the application has started, or set"
                            + " singleflight.start-up-checks=warn"));
        }
    }

    private void report(List<InvalidSingleFlightException> problems) {
        if (problems.isEmpty()) {
            return;
        }
        if (!fail) {
            problems.forEach(problem -> LOGGER.warn(problem.getMessage()));
        } else if (problems.size() == 1) {
            throw problems.get(0);
        } else {
            throw new InvalidSingleFlightException(
                    problems.size() + " annotations cannot work:"
                            + problems.stream()
                                    .map(InvalidSingleFlightException::getDescription)
                                    .distinct()
                                    .collect(Collectors.joining("\n - ", "\n - ", "")),
                    problems.stream()
                            .map(InvalidSingleFlightException::getAction)
                            .distinct()
                            .collect(Collectors.joining(". ")));
        }
    }

    private static void warn(String name, Set<String> known) {
        LOGGER.warn("Properties under singleflight.operations." + name
                + " have no effect yet: no bean declares an operation of that name; " + NearestNames.of(name, known)
                + ". A name with dots needs brackets: singleflight.operations.[Users.profile]");
    }
}
