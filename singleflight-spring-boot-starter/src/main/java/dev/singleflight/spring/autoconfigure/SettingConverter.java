package dev.singleflight.spring.autoconfigure;

import dev.singleflight.Retention;
import dev.singleflight.spring.interceptor.SettingText;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;

/** Reads the values that Spring Boot has no type for, from text and from numbers, which count milliseconds. */
final class SettingConverter implements GenericConverter {

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Stream.of(String.class, Number.class)
                .flatMap(source -> Stream.of(DurationOrNone.class, Retention.class)
                        .map(target -> new ConvertiblePair(source, target)))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
        String text = source == null ? "" : source.toString().strip();
        if (text.isEmpty()) {
            return null;
        }
        return targetType.getType() == Retention.class
                ? SettingText.retention(text)
                : new DurationOrNone(SettingText.duration(text));
    }
}
