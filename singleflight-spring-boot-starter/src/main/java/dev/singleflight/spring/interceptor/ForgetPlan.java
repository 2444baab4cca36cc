package dev.singleflight.spring.interceptor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One {@code @ForgetFlight} of a method. */
final class ForgetPlan {

    final String where;
    final String operation;

    /** Null where every key goes. */
    private final @Nullable CallExpression key;

    private final ContextBeans context;

    ForgetPlan(String where, String operation, @Nullable CallExpression key, ContextBeans context) {
        this.where = where;
        this.operation = operation;
        this.key = key;
        this.context = context;
    }

    /** Evaluates the key now, and returns what forgets it, which fails for nobody. */
    Runnable prepare(CallRoot call, @Nullable List<@Nullable Object> parts, @Nullable Object result) {
        if (key == null) {
            return () -> context.engine().forgetWhere(operation, known -> true);
        }
        Object plain = Keys.of(key.value(call, ResultStyle.unwrapped(result)));
        return () -> {
            context.engine().forgetEverywhere(operation, plain);
            if (parts != null) {
                context.engine().forgetEverywhere(operation, new ScopedKey(plain, parts));
            }
        };
    }
}
