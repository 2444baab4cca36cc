package dev.singleflight.spring.interceptor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What several carriers have captured.
 *
 * @param all in the order in which they are set; they are restored in the opposite one
 */
record CarriedContexts(List<CarriedContext> all) implements CarriedContext {

    @Override
    public Scope open() {
        Deque<Scope> opened = new ArrayDeque<>(all.size());
        Scope close = () -> ForAll.run(opened, Scope::close);
        try {
            all.forEach(carried -> opened.push(carried.open()));
        } catch (Throwable failed) {
            try {
                close.close();
            } catch (Throwable closing) {
                if (closing != failed) {
                    failed.addSuppressed(closing);
                }
            }
            throw failed;
        }
        return close;
    }

    @Override
    public <C> C addTo(C context) {
        C extended = context;
        for (CarriedContext carried : all) {
            extended = carried.addTo(extended);
        }
        return extended;
    }

    @Override
    public void settled(@Nullable Throwable failure) {
        ForAll.run(all, carried -> carried.settled(failure));
    }
}
