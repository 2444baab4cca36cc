package dev.singleflight.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.SingleFlightKeyContributor;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which calls are equivalent. Values are retained, so that an equivalent call is seen by not running. */
class KeyTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final ApplicationContextRunner runner =
            Contexts.plain().withBean("keys", Keyed.class, Keyed::new).withBean("length", Length.class, Length::new);

    @Test
    void onlyArgumentIsTheKeyNullIncluded() {
        equivalent(keyed -> keyed.one("a"), keyed -> keyed.one("a"));
        different(keyed -> keyed.one("a"), keyed -> keyed.one("b"));
        equivalent(keyed -> keyed.one(null), keyed -> keyed.one(null));
        different(keyed -> keyed.one(null), keyed -> keyed.one("null"));
    }

    @Test
    void allArgumentsAreTheKeyWhereThereAreSeveralOrNone() {
        equivalent(keyed -> keyed.two("a", null), keyed -> keyed.two("a", null));
        different(keyed -> keyed.two("a", null), keyed -> keyed.two(null, "a"));
        equivalent(Keyed::none, Keyed::none);
    }

    @Test
    void arraysCountByContentInDefaultAndExplicitKeys() {
        equivalent(keyed -> keyed.array(new int[] {1, 2}), keyed -> keyed.array(new int[] {1, 2}));
        different(keyed -> keyed.array(new int[] {1, 2}), keyed -> keyed.array(new int[] {2, 1}));
        equivalent(keyed -> keyed.nested(nested("a"), 1), keyed -> keyed.nested(nested("a"), 1));
        different(keyed -> keyed.nested(nested("a"), 1), keyed -> keyed.nested(nested("b"), 1));
        equivalent(keyed -> keyed.explicitArray(new byte[] {1}), keyed -> keyed.explicitArray(new byte[] {1}));
        equivalent(keyed -> keyed.arrayInList(new byte[] {1}), keyed -> keyed.arrayInList(new byte[] {1}));
        different(keyed -> keyed.arrayInList(new byte[] {1}), keyed -> keyed.arrayInList(new byte[] {2}));
    }

    @Test
    void keyOfAnArrayDoesNotChangeWithTheArray() {
        int[] ids = {1, 2};
        runner.run(context -> {
            Keyed keyed = context.getBean(Keyed.class);
            Object before = keyed.array(ids);
            ids[0] = 9;

            assertThat(keyed.array(ids)).isNotEqualTo(before);
            assertThat(keyed.array(new int[] {1, 2})).isEqualTo(before);
        });
    }

    @Test
    void expressionsSeeArgumentsByNameAndPositionRootAndBeans() {
        equivalent(keyed -> keyed.named("a", "x"), keyed -> keyed.named("a", "y"));
        equivalent(keyed -> keyed.positional("x", "b"), keyed -> keyed.positional("y", "b"));
        equivalent(keyed -> keyed.upper("a"), keyed -> keyed.upper("A"));
        equivalent(keyed -> keyed.root("a"), keyed -> keyed.root("b"));
        equivalent(keyed -> keyed.bean("ab"), keyed -> keyed.bean("cd"));
        different(keyed -> keyed.bean("ab"), keyed -> keyed.bean("abc"));
    }

    @Test
    void compiledExpressionGivesTheSameKey() {
        runner.run(context -> {
            Keyed keyed = context.getBean(Keyed.class);
            Object first = keyed.upper("a");
            for (int i = 0; i < 500; i++) {
                assertThat(keyed.upper(i % 2 == 0 ? "a" : "A")).isEqualTo(first);
            }
        });
    }

    @Test
    void keyThatIsNullIsRefusedNamingExpressionAndMethod() {
        runner.run(context -> {
            Keyed keyed = context.getBean(Keyed.class);

            assertThatThrownBy(() -> keyed.named(null, "x"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Keyed.named(String, String)")
                    .hasMessageContaining("#first");
            assertThat(Contexts.figures(context, "Keyed.named").rejected()).isEqualTo(1);
        });
    }

    @Test
    void failingExpressionNamesItselfAndItsMethod() {
        runner.run(
                context -> assertThatThrownBy(() -> context.getBean(Keyed.class).upper(null))
                        .hasMessageContaining("Keyed.upper(String)")
                        .hasMessageContaining("#id.toUpperCase()"));
    }

    @Test
    void conditionThatIsFalseRunsTheMethodUncounted() {
        runner.run(context -> {
            Keyed keyed = context.getBean(Keyed.class);

            assertThat(keyed.conditional("")).isNotEqualTo(keyed.conditional(""));
            assertThat(keyed.conditional("a")).isEqualTo(keyed.conditional("a"));
            assertThat(Contexts.figures(context, "Keyed.conditional").calls()).isEqualTo(2);
        });
    }

    @Test
    void contributorsExtendEveryKey() {
        AtomicReference<String> tenant = new AtomicReference<>("one");
        runner.withBean(SingleFlightKeyContributor.class, () -> (method, target, arguments) -> tenant.get())
                .run(context -> {
                    Keyed keyed = context.getBean(Keyed.class);
                    Object ofOne = keyed.one("a");
                    tenant.set("two");
                    Object ofTwo = keyed.one("a");
                    tenant.set("one");

                    assertThat(ofTwo).isNotEqualTo(ofOne);
                    assertThat(keyed.one("a")).isEqualTo(ofOne);
                });
    }

    @Test
    void proxiesOfInterfacesAndOfClassesGiveTheSameKeys() {
        for (boolean classes : new boolean[] {true, false}) {
            Contexts.plain()
                    .withPropertyValues("spring.aop.proxy-target-class=" + classes)
                    .withBean("lookup", ByName.class, () -> new ByName(runs))
                    .run(context -> {
                        Lookup lookup = context.getBean(Lookup.class);

                        assertThat(lookup.find("a", 1)).isEqualTo(lookup.find("a", 2));
                        assertThat(lookup.find("b", 1)).isNotEqualTo(lookup.find("a", 2));
                        assertThat(Contexts.figures(context, "ByName.find").executions())
                                .isEqualTo(2);
                    });
        }
    }

    private void equivalent(Function<Keyed, Object> first, Function<Keyed, Object> second) {
        runner.run(context -> {
            Keyed keyed = context.getBean(Keyed.class);
            assertThat(first.apply(keyed)).isEqualTo(second.apply(keyed));
        });
    }

    private void different(Function<Keyed, Object> first, Function<Keyed, Object> second) {
        runner.run(context -> {
            Keyed keyed = context.getBean(Keyed.class);
            assertThat(first.apply(keyed)).isNotEqualTo(second.apply(keyed));
        });
    }

    private static Object[] nested(String text) {
        return new Object[] {new String[] {text}, 1};
    }

    interface Lookup {

        @SingleFlight(key = "#name", cacheFor = "until-evicted")
        Object find(String name, int page);
    }

    static class ByName implements Lookup {

        private final AtomicInteger runs;

        ByName(AtomicInteger runs) {
            this.runs = runs;
        }

        @Override
        public Object find(String differentName, int page) {
            return runs.incrementAndGet();
        }
    }

    static class Length {

        public int of(String text) {
            return text.length();
        }
    }

    @SingleFlight(cacheFor = "until-evicted")
    class Keyed {

        public Object one(String id) {
            return runs.incrementAndGet();
        }

        public Object two(String first, String second) {
            return runs.incrementAndGet();
        }

        public Object none() {
            return runs.incrementAndGet();
        }

        public Object array(int[] ids) {
            return runs.incrementAndGet();
        }

        public Object nested(Object[] ids, int page) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "#ids", cacheFor = "until-evicted")
        public Object explicitArray(byte[] ids) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "{#ids, 1}", cacheFor = "until-evicted")
        public Object arrayInList(byte[] ids) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "#first", cacheFor = "until-evicted")
        public Object named(String first, String second) {
            return runs.incrementAndGet();
        }

        @SingleFlight(value = "#a1", cacheFor = "until-evicted")
        public Object positional(String first, String second) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "#id.toUpperCase()", cacheFor = "until-evicted")
        public Object upper(String id) {
            return runs.incrementAndGet();
        }

        @SingleFlight(
                key = "#root.method.name + #root.targetClass.simpleName + #root.args.length + (#root.target != null)",
                cacheFor = "until-evicted")
        public Object root(String id) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "@length.of(#id)", cacheFor = "until-evicted")
        public Object bean(String id) {
            return runs.incrementAndGet();
        }

        @SingleFlight(condition = "!#id.isEmpty()", cacheFor = "until-evicted")
        public Object conditional(String id) {
            return runs.incrementAndGet();
        }
    }
}
