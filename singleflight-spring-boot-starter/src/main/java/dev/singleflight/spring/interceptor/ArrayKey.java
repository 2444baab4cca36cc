package dev.singleflight.spring.interceptor;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An array as part of a key: equal by content, and by a content of its own, whatever the caller does to the array later. */
final class ArrayKey {

    private final Object[] copy;
    private final int hash;

    ArrayKey(Object array) {
        this.copy = new Object[] {copyOf(array)};
        this.hash = Arrays.deepHashCode(copy);
    }

    private static Object copyOf(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        if (copy instanceof Object[] elements) {
            for (int i = 0; i < length; i++) {
                Object element = elements[i];
                if (element != null && element.getClass().isArray()) {
                    elements[i] = copyOf(element);
                }
            }
        }
        return copy;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ArrayKey that && hash == that.hash && Arrays.deepEquals(copy, that.copy);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        String text = Arrays.deepToString(copy);
        return text.substring(1, text.length() - 1);
    }
}
