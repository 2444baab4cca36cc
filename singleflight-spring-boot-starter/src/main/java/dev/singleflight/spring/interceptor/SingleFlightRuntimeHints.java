package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep of the starter itself; annotated methods bring their own hints. */
final class SingleFlightRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(CallRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
