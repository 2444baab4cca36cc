package dev.singleflight.spring.aspectj;

import static dev.singleflight.spring.Contexts.figures;
import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.Ordered;

/** A call that came through a proxy passes the woven door untouched. */
@Tag("load-time-weaving")
@ExtendWith(OutputCaptureExtension.class)
class WovenAndProxiedTest {

    private final List<String> trace = new ArrayList<>();
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Users.class, Users::new);

    @Test
    void callThroughTheProxyIsOneCallOfOneFlight() {
        runner.run(context -> {
            context.getBean(Users.class).profile(7);

            assertThat(figures(context, "Users.profile").calls()).isEqualTo(1);
            assertThat(figures(context, "Users.profile").executions()).isEqualTo(1);
        });
    }

    @Test
    void adviceInsideTheFlightStaysInside() {
        runner.withBean(
                        DefaultPointcutAdvisor.class,
                        () -> inside(invocation -> {
                            trace.add("advice on " + Thread.currentThread().getName());
                            return invocation.proceed();
                        }))
                .run(context -> {
                    Users users = context.getBean(Users.class);
                    users.profile(7);

                    assertThat(trace).hasSize(2);
                    assertThat(trace.get(0)).isEqualTo(trace.get(1).replace("code", "advice"));
                    assertThat(trace.get(0))
                            .doesNotContain(Thread.currentThread().getName());
                });
    }

    @Test
    void adviceInsideTheFlightMayRunTheMethodTwice() {
        runner.withBean(
                        DefaultPointcutAdvisor.class,
                        () -> inside(invocation -> {
                            ((ProxyMethodInvocation) invocation)
                                    .invocableClone()
                                    .proceed();
                            return invocation.proceed();
                        }))
                .run(context -> {
                    context.getBean(Users.class).profile(7);

                    assertThat(trace).hasSize(2);
                    assertThat(figures(context, "Users.profile").calls()).isEqualTo(1);
                });
    }

    @Test
    void codeBehindTheProxyThatCallsThisIsCaught() {
        runner.run(context -> {
            context.getBean(Users.class).countdown(3);

            assertThat(figures(context, "Users.countdown").executions()).isEqualTo(4);
        });
    }

    @Test
    void callOfSuperBelongsToTheCallThatIsUnderWay() {
        Contexts.plain().withBean(Admins.class, Admins::new).run(context -> {
            Admins admins = context.getBean(Admins.class);

            admins.profile(7);
            admins.viaThis(7);

            assertThat(trace).hasSize(2);
            assertThat(figures(context, "Admins.profile").calls()).isEqualTo(2);
            assertThat(figures(context, "Admins.profile").executions()).isEqualTo(2);
        });
    }

    @Test
    void secondContextIsWarnedThatTheFirstServes(CapturedOutput output) {
        runner.run(first -> {
            assertThat(output).doesNotContain("which was there first");
            runner.run(second -> {
                Users users = new Users();
                users.profile(7);

                assertThat(output).containsOnlyOnce("which was there first");
                assertThat(figures(first, "Users.profile").executions()).isEqualTo(1);
                assertThat(figures(second, "Users.profile").executions()).isZero();

                second.getBean(Users.class).profile(7);
                assertThat(figures(second, "Users.profile").executions())
                        .as("proxies know their own context")
                        .isEqualTo(1);
            });
        });
    }

    private static DefaultPointcutAdvisor inside(MethodInterceptor advice) {
        NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
        pointcut.setClassFilter(Users.class::isAssignableFrom);
        pointcut.addMethodName("profile");
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, advice);
        advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
        return advisor;
    }

    class Users {

        final AtomicInteger executions = new AtomicInteger();

        @SingleFlight
        public void profile(long userId) {
            trace.add("code on " + Thread.currentThread().getName());
        }

        @SingleFlight
        public void countdown(int from) {
            if (from > 0) {
                countdown(from - 1);
            }
        }
    }

    class Admins extends Users {

        void viaThis(long userId) {
            profile(userId);
        }

        @Override
        @SingleFlight
        public void profile(long userId) {
            super.profile(userId);
        }
    }
}
