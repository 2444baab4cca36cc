package dev.singleflight.spring.interceptor;

import static dev.singleflight.spring.Contexts.figures;
import static dev.singleflight.spring.Contexts.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.singleflight.RunOn;
import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import org.aspectj.lang.JoinPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;

/** What cannot work is said when the application starts: what, where, and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class StartUpChecksTest {

    @ParameterizedTest
    @ValueSource(classes = {Private.class, Static.class, FinalMethod.class, FinalClass.class})
    void methodThatNothingCanInterceptFails(Class<?> type) {
        Contexts.plain()
                .withBean(type)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("@SingleFlight on " + type.getSimpleName() + ".load(String)")
                        .hasMessageContaining("no effect"));
    }

    @ParameterizedTest
    @ValueSource(classes = {WovenNeighbour.class, WovenOverload.class, WovenByAnother.class, WovenStatic.class})
    void methodThatOnlyLooksWovenFails(Class<?> type) {
        Contexts.plain()
                .withBean(type)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("@SingleFlight on " + type.getSimpleName() + ".load(String)")
                        .hasMessageContaining("no effect"));
    }

    @Test
    void wovenMethodIsLeftAlone() {
        Contexts.plain()
                .withBean(Woven.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void methodThatNothingCanInterceptIsAWarningWhereChecksWarn(CapturedOutput output) {
        Contexts.plain()
                .withBean(Private.class)
                .withPropertyValues("singleflight.start-up-checks=warn")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("Private.load(String)", "private");
                });
    }

    @Test
    void beanThatIsCreatedTooEarlyFails() {
        Contexts.plain()
                .withUserConfiguration(Early.class)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("Fine.load(String)")
                        .hasMessageContaining("too early"));
    }

    @Test
    void mocksInThePlaceOfBeansAreLeftAlone() {
        Contexts.plain()
                .withBean(Fine.class, () -> mock(Fine.class))
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.plain()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("fine", mock(Fine.class)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "dev.singleflight.spring.interceptor.StartUpChecksTest$UnknownName, #usrId, -parameters",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$Unparsable, #id +, expression",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$BadDuration, 5 parsecs, timeout",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$BadRetention, forever, until-evicted",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$BadNumber, -5, retries",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$TwoValues, 2 values, runOn",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$Slash, a/b, operation",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$BadCondition, #other, condition",
        "dev.singleflight.spring.interceptor.StartUpChecksTest$ResultInKey, #result, key"
    })
    void badAttributeFailsNamingMethodAttributeAndValue(Class<?> type, String value, String hint) {
        Contexts.plain()
                .withBean(type)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("@SingleFlight on " + type.getSimpleName() + ".load(String)")
                        .hasMessageContaining(value)
                        .hasMessageContaining(hint));
    }

    @ParameterizedTest
    @ValueSource(classes = {ResultAsParameter.class, ResultAsParameterOfAForget.class})
    void resultThatIsAParameterTooFailsWhereAnExpressionNamesIt(Class<?> type) {
        Contexts.plain()
                .withBean(type)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining(type.getSimpleName() + ".load(String, String)")
                        .hasMessageContaining("names #result, which is both the result and a parameter")
                        .hasMessageContaining("#p1"));
    }

    @Test
    void parameterCalledResultIsFineWhereNoExpressionCanMeanTheResult() {
        Contexts.plain()
                .withBean(ResultAsKey.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void badAttributeOfALazyBeanFailsToo() {
        Contexts.plain()
                .withBean(UnknownName.class, UnknownName::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void differentKeyAndValueAreRefused() {
        Contexts.plain()
                .withBean(KeyAndValue.class)
                .run(context -> assertThat(context).hasFailed());
    }

    @ParameterizedTest
    @ValueSource(classes = {FactoryOfBad.class, FactoryOfPrivate.class})
    void productThatNobodyHasAskedForIsCheckedToo(Class<?> factory) {
        Contexts.plain()
                .withBean(factory)
                .run(context -> assertThat(refusal(context)).hasMessageContaining(".load(String)"));
    }

    @Test
    void productThatNobodyHasAskedForIsAnnounced() {
        Contexts.plain()
                .withBean(FactoryOfFine.class)
                .run(context ->
                        assertThat(figures(context, "Fine.load").executions()).isZero());
    }

    @Test
    void productThatIsAProxyByItsInterfacesIsLeftAlone() {
        Contexts.plain()
                .withBean(ProxyFactoryBean.class, () -> {
                    ProxyFactoryBean factory = new ProxyFactoryBean();
                    factory.setInterfaces(Client.class);
                    factory.setTarget((Client) id -> id);
                    return factory;
                })
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void propertiesOfAnUnknownOperationAreAWarningWithTheNearestNames(CapturedOutput output) {
        Contexts.plain()
                .withBean(Fine.class)
                .withPropertyValues("singleflight.operations.[Fine.laod].retries=1")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("singleflight.operations.Fine.laod", "the nearest name is Fine.load");
                });
    }

    @Test
    void propertiesOfAKnownOperationAreNoWarning(CapturedOutput output) {
        Contexts.plain()
                .withBean(Fine.class)
                .withPropertyValues("singleflight.operations.[Fine.load].retries=1")
                .run(context -> assertThat(output).doesNotContain("have no effect"));
    }

    @Test
    void annotationsThatSpringPutsOutermostAreNoted(CapturedOutput output) {
        Contexts.plain()
                .withBean(Outermost.class)
                .run(context -> assertThat(output)
                        .contains("@Retryable on Outermost.retried(String)", "retries of @SingleFlight")
                        .contains("@Async on Outermost.async(String)", "Leave @Async out"));
    }

    @Test
    void nothingOfOursIsReportedAsNotEligibleForPostProcessing(CapturedOutput output) {
        Contexts.plain().withBean(Fine.class).run(context -> assertThat(output).doesNotContain("not eligible"));
    }

    static class Fine {
        @SingleFlight
        String load(String id) {
            return id;
        }
    }

    static class Private {
        @SingleFlight
        private String load(String id) {
            return id;
        }
    }

    static class Static {
        @SingleFlight
        static String load(String id) {
            return id;
        }
    }

    static class FinalMethod {
        @SingleFlight
        final String load(String id) {
            return id;
        }
    }

    static final class FinalClass {
        @SingleFlight
        String load(String id) {
            return id;
        }
    }

    /** What the weaver leaves, under numbers that it does not come to when it weaves this class itself. */
    static class Woven {
        @SingleFlight
        private String load(String id) {
            return id;
        }

        static String load_aroundBody70(Woven self, String id, JoinPoint execution) {
            return id;
        }
    }

    static class WovenNeighbour {
        @SingleFlight
        private String load(String id) {
            return id;
        }

        static String reload_aroundBody70(WovenNeighbour self, String id, JoinPoint execution) {
            return id;
        }
    }

    static class WovenOverload {
        @SingleFlight
        private String load(String id) {
            return id;
        }

        static String load_aroundBody70(WovenOverload self, long id, JoinPoint execution) {
            return "" + id;
        }
    }

    static class WovenByAnother {
        @SingleFlight
        private String load(String id) {
            return id;
        }

        private static String load_aroundBody70(WovenByAnother self, String id, JoinPoint execution) {
            return id;
        }
    }

    static class WovenStatic {
        @SingleFlight
        static String load(String id) {
            return id;
        }

        static String load_aroundBody70(String id, JoinPoint execution) {
            return id;
        }
    }

    static class UnknownName {
        @SingleFlight(key = "#usrId")
        String load(String userId) {
            return userId;
        }
    }

    static class Unparsable {
        @SingleFlight(key = "#id +")
        String load(String id) {
            return id;
        }
    }

    static class BadDuration {
        @SingleFlight(timeout = "5 parsecs")
        String load(String id) {
            return id;
        }
    }

    static class BadRetention {
        @SingleFlight(cacheFor = "forever")
        String load(String id) {
            return id;
        }
    }

    static class BadNumber {
        @SingleFlight(retries = -5)
        String load(String id) {
            return id;
        }
    }

    static class TwoValues {
        @SingleFlight(runOn = {RunOn.LEADER, RunOn.WORKER})
        String load(String id) {
            return id;
        }
    }

    static class Slash {
        @SingleFlight(operation = "a/b")
        String load(String id) {
            return id;
        }
    }

    static class BadCondition {
        @SingleFlight(condition = "#other > 1")
        String load(String id) {
            return id;
        }
    }

    static class ResultInKey {
        @SingleFlight(key = "#result")
        String load(String id) {
            return id;
        }
    }

    static class ResultAsParameter {
        @SingleFlight(cacheUnless = "!#result.isEmpty()")
        String load(String id, String result) {
            return id;
        }
    }

    static class ResultAsParameterOfAForget {
        @ForgetFlight(operation = "any", key = "#result")
        String load(String id, String result) {
            return id;
        }
    }

    static class ResultAsKey {
        @SingleFlight(key = "#result", cacheUnless = "#p0 == null")
        String load(String result) {
            return result;
        }
    }

    static class KeyAndValue {
        @SingleFlight(key = "#id", value = "#p0")
        String load(String id) {
            return id;
        }
    }

    static class Outermost {
        @SingleFlight
        @Retryable
        String retried(String id) {
            return id;
        }

        @SingleFlight
        @Async
        String async(String id) {
            return id;
        }
    }

    static class First implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Early {

        @Bean
        static First processor(Fine fine) {
            return new First();
        }

        @Bean
        static Fine fine() {
            return new Fine();
        }
    }

    interface Client {
        @SingleFlight
        String load(String id);
    }

    static class FactoryOfFine implements FactoryBean<Fine> {
        @Override
        public Fine getObject() {
            return new Fine();
        }

        @Override
        public Class<?> getObjectType() {
            return Fine.class;
        }
    }

    static class FactoryOfBad implements FactoryBean<UnknownName> {
        @Override
        public UnknownName getObject() {
            return new UnknownName();
        }

        @Override
        public Class<?> getObjectType() {
            return UnknownName.class;
        }
    }

    static class FactoryOfPrivate implements FactoryBean<Private> {
        @Override
        public Private getObject() {
            return new Private();
        }

        @Override
        public Class<?> getObjectType() {
            return Private.class;
        }
    }
}
