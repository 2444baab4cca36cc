package dev.singleflight.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Where single flight stands among the advisors of a bean, with the real annotations. */
class OrderTest {

    private final ApplicationContextRunner runner =
            Contexts.plain().withUserConfiguration(Everything.class).withBean(Reports.class);

    @AfterEach
    void nobody() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void securityIsAskedForEveryCallerAndTransactionAndCacheAreInsideTheFlight() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            SecurityContextHolder.getContext()
                    .setAuthentication(new TestingAuthenticationToken("alice", "", "ROLE_USER"));
            assertThat(reports.build(1)).isEqualTo("transaction=true run=1");
            assertThat(reports.build(1)).isEqualTo("transaction=true run=1");
            assertThat(Contexts.figures(context, "Reports.build").executions()).isEqualTo(2);

            SecurityContextHolder.clearContext();
            assertThatThrownBy(() -> reports.build(1))
                    .satisfiesAnyOf(
                            denied -> assertThat(denied).isInstanceOf(AccessDeniedException.class),
                            nobody -> assertThat(nobody).hasMessageContaining("Authentication"));
            assertThat(Contexts.figures(context, "Reports.build").calls()).isEqualTo(2);
        });
    }

    @Test
    void advisorsStandInTheOrderOfTheDesign() {
        runner.run(context -> assertThat(advisors(context.getBean(Reports.class)))
                .containsSubsequence(
                        "AuthorizationManagerBeforeMethodInterceptor",
                        "SingleFlightAdvisor",
                        "BeanFactoryTransactionAttributeSourceAdvisor")
                .containsSubsequence("SingleFlightAdvisor", "BeanFactoryCacheOperationSourceAdvisor"));
    }

    @Test
    void propertyMovesIt() {
        runner.withPropertyValues("singleflight.order=-2147483648")
                .run(context -> assertThat(advisors(context.getBean(Reports.class)))
                        .containsSubsequence("SingleFlightAdvisor", "AuthorizationManagerBeforeMethodInterceptor"));
    }

    private static List<String> advisors(Object bean) {
        return Arrays.stream(((Advised) bean).getAdvisors())
                .map(Advisor::getClass)
                .map(Class::getSimpleName)
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    @EnableTransactionManagement
    static class Everything {

        @Bean
        ConcurrentMapCacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        PlatformTransactionManager transactionManager() {
            return new NoTransactions();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static AuthorizationManagerBeforeMethodInterceptor preAuthorize() {
            return AuthorizationManagerBeforeMethodInterceptor.preAuthorize();
        }
    }

    static class Reports {

        private final AtomicInteger runs = new AtomicInteger();

        @SingleFlight
        @Cacheable("reports")
        @Transactional
        @PreAuthorize("hasRole('USER')")
        public String build(int id) {
            return "transaction=" + TransactionSynchronizationManager.isActualTransactionActive() + " run="
                    + runs.incrementAndGet();
        }
    }
}
