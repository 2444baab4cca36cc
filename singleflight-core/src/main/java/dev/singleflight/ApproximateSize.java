package dev.singleflight;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Guesses how many bytes an object graph holds, assuming compressed references. It walks strings, arrays, collections,
 * maps, records and plain objects, each object once, to a bounded depth and number; of a long array or collection it walks the
 * first elements and takes the rest to be like them. What it may not look into counts as its header.
 */
final class ApproximateSize implements ToLongFunction<@Nullable Object> {

    private static final int MAX_DEPTH = 16;
    private static final int SAMPLE = 256;

    /** Callers wait for the walk, and a view may make up elements without end. */
    private static final int MAX_OBJECTS = 100_000;

    private static final int HEADER = 16;
    private static final int REFERENCE = 4;
    private static final int NODE = 32;

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return readableFields(type);
        }
    };

    private static final ClassValue<Integer> SHALLOW = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            return shallow(type);
        }
    };

    @Override
    public long applyAsLong(@Nullable Object root) {
        return of(root, 0, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static long of(@Nullable Object object, int depth, Set<Object> seen) {
        if (object == null
                || object instanceof Enum<?>
                || object instanceof Class<?>
                || seen.size() >= MAX_OBJECTS
                || !seen.add(object)) {
            return 0;
        }
        if (object instanceof CharSequence text) {
            return 2 * HEADER + 8 + text.length();
        }
        Class<?> type = object.getClass();
        if (type.isArray()) {
            int length = Array.getLength(object);
            Class<?> component = type.getComponentType();
            return component.isPrimitive()
                    ? HEADER + (long) length * width(component)
                    : HEADER
                            + (long) length * REFERENCE
                            + elements(Arrays.asList((Object[]) object), length, depth, seen);
        }
        if (object instanceof Collection<?> collection) {
            int size = collection.size();
            return 2 * HEADER + (long) size * NODE / 2 + elements(collection, size, depth, seen);
        }
        if (object instanceof Map<?, ?> map) {
            int size = map.size();
            return 3 * HEADER
                    + (long) size * NODE
                    + elements(map.keySet(), size, depth, seen)
                    + elements(map.values(), size, depth, seen);
        }
        return SHALLOW.get(type) + fields(object, depth, seen);
    }

    private static long elements(Iterable<?> elements, int size, int depth, Set<Object> seen) {
        if (depth >= MAX_DEPTH) {
            return 0;
        }
        long sum = 0;
        int walked = 0;
        for (Object element : elements) {
            if (walked == SAMPLE) {
                return sum / SAMPLE * size;
            }
            sum += of(element, depth + 1, seen);
            walked++;
        }
        return sum;
    }

    private static long fields(Object object, int depth, Set<Object> seen) {
        if (depth >= MAX_DEPTH) {
            return 0;
        }
        long sum = 0;
        for (Field field : FIELDS.get(object.getClass())) {
            try {
                sum += of(field.get(object), depth + 1, seen);
            } catch (IllegalAccessException cannotHappen) {
                throw new IllegalStateException(cannotHappen);
            }
        }
        return sum;
    }

    private static Field[] readableFields(Class<?> type) {
        List<Field> readable = new ArrayList<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!field.getType().isPrimitive()
                        && !Modifier.isStatic(field.getModifiers())
                        && field.trySetAccessible()) {
                    readable.add(field);
                }
            }
        }
        return readable.toArray(Field[]::new);
    }

    private static int shallow(Class<?> type) {
        int size = HEADER - 4;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    size += width(field.getType());
                }
            }
        }
        return (size + 7) / 8 * 8;
    }

    private static int width(Class<?> type) {
        if (type == long.class || type == double.class) {
            return 8;
        }
        if (type == char.class || type == short.class) {
            return 2;
        }
        return type == byte.class || type == boolean.class ? 1 : 4;
    }
}
