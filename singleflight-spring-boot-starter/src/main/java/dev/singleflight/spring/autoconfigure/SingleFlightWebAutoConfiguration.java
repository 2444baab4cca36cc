package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.web.SingleFlightExceptionAdvice;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ControllerAdvice;

/** Problem details for the engine's exceptions, in MVC and in WebFlux. */
@AutoConfiguration(after = SingleFlightAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass({ControllerAdvice.class, ProblemDetail.class})
@ConditionalOnProperty(prefix = "singleflight.web", name = "problem-details", matchIfMissing = true)
public final class SingleFlightWebAutoConfiguration {

    /** Creates the configuration. */
    public SingleFlightWebAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    SingleFlightExceptionAdvice singleFlightExceptionAdvice() {
        return new SingleFlightExceptionAdvice();
    }
}
