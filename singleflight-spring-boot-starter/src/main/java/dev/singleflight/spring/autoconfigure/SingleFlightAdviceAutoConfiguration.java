package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.autoconfigure.SingleFlightProperties.StartUpCheck;
import dev.singleflight.spring.interceptor.AnnotatedMethods;
import dev.singleflight.spring.interceptor.SingleFlightAdvisor;
import dev.singleflight.spring.interceptor.StartUpChecks;
import dev.singleflight.spring.interceptor.WovenDoor;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * The advice of annotated methods. An advisor is created before most beans are post-processed: what it can reach must be
 * infrastructure, so its order comes from the environment and everything else is looked up at the first call.
 */
@AutoConfiguration(after = SingleFlightAutoConfiguration.class)
@ConditionalOnClass(Advisor.class)
@ConditionalOnProperty(prefix = "singleflight", name = "enabled", matchIfMissing = true)
@Import(AutoProxying.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class SingleFlightAdviceAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightAdviceAutoConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedMethods singleFlightMethods(BeanFactory beans) {
        return new AnnotatedMethods(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static WovenDoor singleFlightWovenDoor(AnnotatedMethods methods, ApplicationContext context) {
        return new WovenDoor(methods, context);
    }

    /** The woven door has no other part in it than to be open as early as the advisor is there. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SingleFlightAdvisor singleFlightAdvisor(AnnotatedMethods methods, WovenDoor woven, Environment environment) {
        int order = environment.getProperty("singleflight.order", Integer.class, SingleFlightAdvisor.DEFAULT_ORDER);
        return new SingleFlightAdvisor(methods, order);
    }

    @Bean
    static StartUpChecks singleFlightStartUpChecks(
            ConfigurableListableBeanFactory beans, AnnotatedMethods methods, SingleFlightProperties properties) {
        return new StartUpChecks(
                beans,
                methods,
                properties.startUpChecks() == StartUpCheck.FAIL,
                properties.operations().keySet());
    }
}
