package dev.singleflight.spring.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns values into what the engine can compare: arrays by content, and null where null is an argument. */
final class Keys {

    private Keys() {}

    /** The key of a call with one argument. */
    static Object ofArgument(@Nullable Object argument) {
        return argument == null ? NullKey.NULL : of(argument);
    }

    /** The key of a call with any other number of arguments. */
    static Object ofArguments(@Nullable Object[] arguments) {
        @Nullable Object[] parts = arguments.clone();
        for (int i = 0; i < parts.length; i++) {
            Object part = parts[i];
            parts[i] = part == null ? null : of(part);
        }
        return Arrays.asList(parts);
    }

    static Object of(Object value) {
        return value.getClass().isArray() ? new ArrayKey(value) : value;
    }

    /** The key that an expression has made, in which arrays may stand one level deep. */
    static Object ofResult(Object value) {
        if (value instanceof List<?> list) {
            for (Object element : list) {
                if (element != null && element.getClass().isArray()) {
                    return ofArguments(new ArrayList<@Nullable Object>(list).toArray());
                }
            }
        }
        return of(value);
    }

    private enum NullKey {
        NULL;

        @Override
        public String toString() {
            return "null";
        }
    }
}
