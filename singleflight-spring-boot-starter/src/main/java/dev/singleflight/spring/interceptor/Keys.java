package dev.singleflight.spring.interceptor;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into what the engine can compare: arrays by content, in lists too, and null where null is an argument.
 * Every key goes through here, whatever it is made of, so that a forget meets the key of a call.
 */
final class Keys {

    private Keys() {}

    static Object of(@Nullable Object value) {
        if (value == null) {
            return NullKey.NULL;
        }
        if (value instanceof List<?> list) {
            return holdsArrays(list) ? ofArguments(list.toArray(new Object[0])) : list;
        }
        return value.getClass().isArray() ? new ArrayKey(value) : value;
    }

    /** The key of a call with any other number of arguments than one. */
    static Object ofArguments(@Nullable Object[] arguments) {
        @Nullable Object[] parts = arguments.clone();
        for (int i = 0; i < parts.length; i++) {
            Object part = parts[i];
            parts[i] = part == null ? null : of(part);
        }
        return Arrays.asList(parts);
    }

    private static boolean holdsArrays(List<?> list) {
        for (Object element : list) {
            if (element instanceof List<?> inner
                    ? holdsArrays(inner)
                    : element != null && element.getClass().isArray()) {
                return true;
            }
        }
        return false;
    }

    private enum NullKey {
        NULL;

        @Override
        public String toString() {
            return "null";
        }
    }
}
