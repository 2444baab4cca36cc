package dev.singleflight.spring;

import dev.singleflight.OperationSnapshot;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.autoconfigure.SingleFlightAdviceAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightContextAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightEndpointAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightHealthAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightMetricsAutoConfiguration;
import dev.singleflight.spring.autoconfigure.SingleFlightWebAutoConfiguration;
import dev.singleflight.spring.interceptor.InvalidSingleFlightException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The contexts that tests begin with. */
public final class Contexts {

    private Contexts() {}

    /** An application with everything that the starter configures where nothing else is there. */
    public static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        SingleFlightAdviceAutoConfiguration.class,
                        SingleFlightAutoConfiguration.class,
                        SingleFlightContextAutoConfiguration.class,
                        SingleFlightEndpointAutoConfiguration.class,
                        SingleFlightHealthAutoConfiguration.class,
                        SingleFlightMetricsAutoConfiguration.class,
                        SingleFlightWebAutoConfiguration.class));
    }

    public static OperationSnapshot figures(ApplicationContext context, String operation) {
        OperationSnapshot figures = context.getBean(SingleFlightEngine.class).snapshot(operation);
        if (figures == null) {
            throw new AssertionError("Operation " + operation + " is unknown");
        }
        return figures;
    }

    /** Waits until so many callers are attached to flights. */
    public static void awaitWaiters(ApplicationContext context, int count) throws Exception {
        SingleFlightEngine engine = context.getBean(SingleFlightEngine.class);
        Threads.await(() -> engine.snapshot().waiters() == count);
    }

    /** The reason why an application did not start, as its failure analyzer sees it. */
    public static InvalidSingleFlightException refusal(AssertableApplicationContext context) {
        for (Throwable cause = context.getStartupFailure(); cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidSingleFlightException refusal) {
                return refusal;
            }
        }
        throw new AssertionError("The application was not refused", context.getStartupFailure());
    }
}
