package dev.singleflight;

import org.jspecify.annotations.Nullable;

/** How messages name what they are about: the operation, and the key only where keys may be exposed. */
record Subject(String operation, @Nullable Object exposedKey) {

    @Override
    public String toString() {
        return "Operation '" + operation + "'" + (exposedKey == null ? "" : " (key " + text(exposedKey) + ")");
    }

    private static String text(Object key) {
        try {
            return key.toString();
        } catch (Throwable keyWithoutText) {
            return "of " + key.getClass();
        }
    }
}
