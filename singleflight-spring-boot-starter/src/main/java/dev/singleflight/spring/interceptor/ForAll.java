package dev.singleflight.spring.interceptor;

import java.util.Iterator;
import java.util.function.Consumer;

/** Work for several, of which none goes without because it fails for another. */
final class ForAll {

    private ForAll() {}

    /** Does it for each in turn; the first failure is thrown in the end, with the further ones as suppressed. */
    static <T> void run(Iterable<T> all, Consumer<? super T> action) {
        Iterator<T> remaining = all.iterator();
        while (remaining.hasNext()) {
            T next = remaining.next();
            try {
                action.accept(next);
            } catch (Throwable first) {
                runOn(remaining, action, first);
                throw first;
            }
        }
    }

    private static <T> void runOn(Iterator<T> remaining, Consumer<? super T> action, Throwable first) {
        while (remaining.hasNext()) {
            T next = remaining.next();
            try {
                action.accept(next);
            } catch (Throwable further) {
                if (further != first) {
                    first.addSuppressed(further);
                }
            }
        }
    }
}
