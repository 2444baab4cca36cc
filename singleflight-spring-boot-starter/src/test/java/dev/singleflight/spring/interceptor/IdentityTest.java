package dev.singleflight.spring.interceptor;

import static dev.singleflight.spring.Contexts.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

/** Where annotations are found, and which of them share their keys. */
class IdentityTest {

    private static final String KEPT = "until-evicted";
    private static final AtomicInteger RUNS = new AtomicInteger();

    @Test
    void twoBeansOfOneClassDoNotShareAndTheirFiguresAddUp() {
        Contexts.plain()
                .withBean("one", Catalog.class)
                .withBean("two", Catalog.class)
                .run(context -> {
                    Catalog one = context.getBean("one", Catalog.class);
                    Catalog two = context.getBean("two", Catalog.class);

                    assertThat(one.item(1)).isEqualTo(one.item(1)).isNotEqualTo(two.item(1));
                    assertThat(Contexts.figures(context, "Catalog.item").executions())
                            .isEqualTo(2);
                });
    }

    @Test
    void overloadsDoNotMeet() {
        Contexts.plain().withBean(Catalog.class).run(context -> {
            Catalog catalog = context.getBean(Catalog.class);

            assertThat(catalog.item((Object) 1)).isNotEqualTo(catalog.item(1));
        });
    }

    @Test
    void prototypesNeitherShareNorLeak() {
        Contexts.plain()
                .withBean(
                        Catalog.class, Catalog::new, definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
                .run(context -> {
                    assertThat(context.getBean(Catalog.class).fresh(1))
                            .isNotEqualTo(context.getBean(Catalog.class).fresh(1));

                    WeakReference<Object> gone = new WeakReference<>(used(context.getBean(Catalog.class)));
                    for (int i = 0; i < 100 && gone.get() != null; i++) {
                        System.gc();
                        context.getBean(Catalog.class).fresh(i);
                    }
                    assertThat(gone.get()).isNull();
                });
    }

    private static Object used(Catalog catalog) throws Exception {
        catalog.fresh(1);
        return ((org.springframework.aop.framework.Advised) catalog)
                .getTargetSource()
                .getTarget();
    }

    @Test
    void sharedNameIsOneIdentityAcrossMethodsAndBeans() {
        Contexts.plain().withBean(Catalog.class).withBean(OtherCatalog.class).run(context -> {
            Object value = context.getBean(Catalog.class).shared(1);

            assertThat(context.getBean(OtherCatalog.class).sharedToo(1)).isEqualTo(value);
            assertThat(Contexts.figures(context, "catalog").executions()).isEqualTo(1);
        });
    }

    @Test
    void sharedNameWithTwoResultTypesFailsAtStartUp() {
        Contexts.plain()
                .withBean(Catalog.class)
                .withBean(ClashingCatalog.class)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("'catalog' has two result types")
                        .hasMessageContaining("Catalog.shared(int)")
                        .hasMessageContaining("ClashingCatalog.text(int)"));
    }

    @Test
    void annotationsAreFoundOnClassesInterfacesOverridesBridgesAndAsMetaAnnotations() {
        Contexts.plain()
                .withBean(ByClass.class)
                .withBean(ByBridge.class)
                .withBean(Overriding.class)
                .withBean(Composed.class)
                .run(context -> {
                    ByClass byClass = context.getBean(ByClass.class);
                    assertThat(context.getBean(SingleFlightEngine.class)
                                    .snapshot()
                                    .operations())
                            .containsOnlyKeys(
                                    "ByClass.covered",
                                    "ByClass.own",
                                    "ByBridge.find",
                                    "Overriding.item",
                                    "Composed.item");
                    assertThat(byClass.covered(1)).isEqualTo(byClass.covered(1));
                    assertThat(byClass.own(1)).isNotEqualTo(byClass.own(1));
                    assertThat(byClass.notPublic(1)).isNotEqualTo(byClass.notPublic(1));

                    Generic<Integer> generic = context.getBean(ByBridge.class);
                    assertThat(generic.find(1)).isEqualTo(generic.find(1));

                    Overriding overriding = context.getBean(Overriding.class);
                    assertThat(overriding.item(1)).isNotEqualTo(overriding.item(1));

                    Composed composed = context.getBean(Composed.class);
                    assertThat(composed.item("a", 1)).isEqualTo(composed.item("a", 2));
                });
    }

    @Test
    void placeholdersWorkInEveryTextAttribute() {
        Contexts.plain()
                .withPropertyValues("my.key=#id", "my.name=resolved", "my.ttl=1h")
                .withBean(Placeholders.class)
                .run(context -> {
                    Placeholders bean = context.getBean(Placeholders.class);

                    assertThat(bean.item(1, "a")).isEqualTo(bean.item(1, "b"));
                    assertThat(Contexts.figures(context, "resolved").retainedHits())
                            .isEqualTo(1);
                });
    }

    @Test
    void twoContextsDoNotMeet() {
        ApplicationContextRunner runner = Contexts.plain().withBean(Catalog.class);
        runner.run(first -> runner.run(second -> {
            assertThat(first.getBean(Catalog.class).shared(1))
                    .isNotEqualTo(second.getBean(Catalog.class).shared(1));
            assertThat(first.getBean(SingleFlightEngine.class)).isNotSameAs(second.getBean(SingleFlightEngine.class));
        }));
    }

    static class Catalog {

        @SingleFlight(cacheFor = KEPT)
        Object item(int id) {
            return RUNS.incrementAndGet();
        }

        @SingleFlight(cacheFor = KEPT)
        Object item(Object id) {
            return RUNS.incrementAndGet();
        }

        @SingleFlight
        Object fresh(int id) {
            return RUNS.incrementAndGet();
        }

        @SingleFlight(operation = "catalog", cacheFor = KEPT)
        Integer shared(int id) {
            return RUNS.incrementAndGet();
        }
    }

    static class OtherCatalog {

        @SingleFlight(operation = "catalog")
        int sharedToo(int id) {
            return RUNS.incrementAndGet();
        }
    }

    static class ClashingCatalog {

        @SingleFlight(operation = "catalog")
        String text(int id) {
            return "";
        }
    }

    @SingleFlight(cacheFor = KEPT)
    static class ByClass {

        public Object covered(int id) {
            return RUNS.incrementAndGet();
        }

        @SingleFlight
        public Object own(int id) {
            return RUNS.incrementAndGet();
        }

        Object notPublic(int id) {
            return RUNS.incrementAndGet();
        }
    }

    interface Generic<K> {

        @SingleFlight(key = "#id", cacheFor = KEPT)
        Object find(K id);
    }

    static class ByBridge implements Generic<Integer> {

        @Override
        public Integer find(Integer id) {
            return RUNS.incrementAndGet();
        }
    }

    static class Overridden {

        @SingleFlight(cacheFor = KEPT)
        public Object item(int id) {
            return RUNS.incrementAndGet();
        }
    }

    static class Overriding extends Overridden {

        @Override
        @SingleFlight
        public Object item(int id) {
            return RUNS.incrementAndGet();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @SingleFlight(cacheFor = KEPT)
    @interface Keeping {

        @AliasFor(annotation = SingleFlight.class, attribute = "key")
        String by();
    }

    static class Composed {

        @Keeping(by = "#name")
        Object item(String name, int page) {
            return RUNS.incrementAndGet();
        }
    }

    static class Placeholders {

        @SingleFlight(
                key = "${my.key}",
                operation = "${my.name}",
                cacheFor = "${my.ttl}",
                timeout = "${my.timeout:}",
                condition = "${my.condition:}")
        Object item(int id, String other) {
            return RUNS.incrementAndGet();
        }
    }
}
