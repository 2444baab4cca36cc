package dev.singleflight.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one carrier does wrong leaves nothing of the others on the thread. */
class CarriedContextsTest {

    private final List<String> done = new ArrayList<>();

    @Test
    void allAreClosedInReverseThoughOneFailsToBe() {
        CarriedContext.Scope scope = all(carried("a", ""), carried("b", "close"), carried("c", "close"))
                .open();
        done.clear();

        assertThatThrownBy(scope::close)
                .hasMessage("close c")
                .satisfies(first -> assertThat(first.getSuppressed())
                        .singleElement()
                        .extracting(Throwable::getMessage)
                        .isEqualTo("close b"));
        assertThat(done).containsExactly("close c", "close b", "close a");
    }

    @Test
    void thoseThatAreOpenAreClosedWhereOneFailsToOpen() {
        CarriedContexts contexts = all(carried("a", ""), carried("b", "close"), carried("c", "open"));

        assertThatThrownBy(contexts::open)
                .hasMessage("open c")
                .satisfies(first -> assertThat(first.getSuppressed())
                        .singleElement()
                        .extracting(Throwable::getMessage)
                        .isEqualTo("close b"));
        assertThat(done).containsExactly("open a", "open b", "open c", "close b", "close a");
    }

    @Test
    void allLearnOfTheSettlementThoughOneFailsAtIt() {
        CarriedContexts contexts = all(carried("a", "settle"), carried("b", ""), carried("c", "settle"));

        assertThatThrownBy(() -> contexts.settled(null))
                .hasMessage("settle a")
                .satisfies(first -> assertThat(first.getSuppressed()).hasSize(1));
        assertThat(done).containsExactly("settle a", "settle b", "settle c");
    }

    private static CarriedContexts all(CarriedContext... all) {
        return new CarriedContexts(List.of(all));
    }

    private CarriedContext carried(String name, String failing) {
        return new CarriedContext() {

            @Override
            public Scope open() {
                does("open");
                return () -> does("close");
            }

            @Override
            public <C> C addTo(C context) {
                return context;
            }

            @Override
            public void settled(@Nullable Throwable failure) {
                does("settle");
            }

            private void does(String what) {
                done.add(what + " " + name);
                if (what.equals(failing)) {
                    throw new IllegalStateException(what + " " + name);
                }
            }
        };
    }
}
