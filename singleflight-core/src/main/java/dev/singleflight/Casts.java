package dev.singleflight;

import org.jspecify.annotations.Nullable;

/**
 * The one unchecked cast. What comes out of a flight is of its definition's result type, and what goes in is of its
 * parameter type, because a key leads to flights of one identity only; null is a value of both.
 */
final class Casts {

    private Casts() {}

    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
    static <T extends @Nullable Object> T unchecked(@Nullable Object value) {
        return (T) value;
    }
}
