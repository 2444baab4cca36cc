package dev.singleflight.spring.interceptor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key with what the contributors add to it. Its text is the key's alone: parts may be principals. */
record ScopedKey(Object key, List<@Nullable Object> parts) {

    @Override
    public String toString() {
        return key.toString();
    }
}
