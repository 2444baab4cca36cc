package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.aspectj.SingleFlightAspect;
import dev.singleflight.spring.interceptor.AnnotatedMethods;
import dev.singleflight.spring.interceptor.WovenDoor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.aspectj.lang.annotation.Aspect;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Has the woven aspect, where there is one, serve this application context. */
@AutoConfiguration(after = SingleFlightAdviceAutoConfiguration.class)
@ConditionalOnClass(Aspect.class)
@ConditionalOnBean(AnnotatedMethods.class)
public final class SingleFlightAspectAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightAspectAutoConfiguration() {}

    @Bean
    Service singleFlightAspectService(AnnotatedMethods methods) {
        return new Service(methods);
    }

    static final class Service implements DisposableBean {

        private static final Log LOGGER = LogFactory.getLog(SingleFlightAspect.class);

        private final @org.jspecify.annotations.Nullable WovenDoor door;

        Service(AnnotatedMethods methods) {
            this.door = SingleFlightAspect.isWoven() ? new WovenDoor(methods) : null;
            if (door != null && !SingleFlightAspect.serve(door)) {
                LOGGER.warn("The woven aspect of single flight serves another application context of this class loader:"
                        + " methods of this context fly only where a proxy catches their calls");
            }
        }

        @Override
        public void destroy() {
            if (door != null) {
                SingleFlightAspect.leave(door);
            }
        }
    }
}
