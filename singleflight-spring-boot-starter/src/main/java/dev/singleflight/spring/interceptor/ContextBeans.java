package dev.singleflight.spring.interceptor;

import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.SingleFlightKeyContributor;
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
    Object scoped(Object key, FlightCall call) {
        SingleFlightKeyContributor[] all = contributors();
        if (all.length == 0) {
            return key;
        }
        List<@Nullable Object> parts = new ArrayList<>(all.length);
        for (SingleFlightKeyContributor contributor : all) {
            Object part = contributor.contribute(call.plan.method, call.target, call.args);
            parts.add(part == null ? null : Keys.of(part));
        }
        return new ScopedKey(key, parts);
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

    /** Replaces placeholders. */
    String resolved(String text) {
        if (!(beans instanceof ConfigurableBeanFactory configurable) || text.isEmpty()) {
            return text;
        }
        String resolved = configurable.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
