package dev.singleflight.spring.interceptor;

import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.SingleFlightKeyContributor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * What calls need of the application context, looked up when it is first needed: the advisor is there before most beans
 * are, and must not bring any of them up early.
 */
final class ContextBeans {

    private final BeanFactory beans;
    private volatile @Nullable SingleFlightEngine engine;
    private volatile SingleFlightKeyContributor @Nullable [] contributors;
    private volatile ContextCarrier @Nullable [] carriers;

    ContextBeans(BeanFactory beans) {
        this.beans = beans;
    }

    SingleFlightEngine engine() {
        SingleFlightEngine known = engine;
        if (known == null) {
            known = beans.getBean(SingleFlightEngine.class);
            engine = known;
        }
        return known;
    }

    /** Extends a key by what the contributors say of the call. */
    Object scoped(Object key, Method method, Object target, @Nullable Object[] args) {
        List<@Nullable Object> parts = parts(method, target, args);
        return parts == null ? key : new ScopedKey(key, parts);
    }

    /** What the contributors say of a call; null where there are none. */
    @Nullable
    List<@Nullable Object> parts(Method method, Object target, @Nullable Object[] args) {
        SingleFlightKeyContributor[] all = contributors();
        if (all.length == 0) {
            return null;
        }
        List<@Nullable Object> parts = new ArrayList<>(all.length);
        for (SingleFlightKeyContributor contributor : all) {
            Object part = contributor.contribute(method, target, args);
            parts.add(part == null ? null : Keys.of(part));
        }
        return parts;
    }

    private SingleFlightKeyContributor[] contributors() {
        SingleFlightKeyContributor[] known = contributors;
        if (known == null) {
            known = beans.getBeanProvider(SingleFlightKeyContributor.class)
                    .orderedStream()
                    .toArray(SingleFlightKeyContributor[]::new);
            contributors = known;
        }
        return known;
    }

    /** Captures what goes along with the flight that the calling thread has started. */
    @Nullable
    CarriedContext capture(String operation, @Nullable Object reactorContext) {
        List<CarriedContext> captured = new ArrayList<>();
        for (ContextCarrier carrier : carriers()) {
            CarriedContext carried = carrier.capture(operation, reactorContext);
            if (carried != null) {
                captured.add(carried);
            }
        }
        return captured.isEmpty() ? null : captured.size() == 1 ? captured.get(0) : new CarriedContexts(captured);
    }

    private ContextCarrier[] carriers() {
        ContextCarrier[] known = carriers;
        if (known == null) {
            known = beans.getBeanProvider(ContextCarrier.class).orderedStream().toArray(ContextCarrier[]::new);
            carriers = known;
        }
        return known;
    }

    /** Replaces placeholders. */
    String resolved(String text) {
        if (!(beans instanceof ConfigurableBeanFactory configurable) || text.isEmpty()) {
            return text;
        }
        String resolved = configurable.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
