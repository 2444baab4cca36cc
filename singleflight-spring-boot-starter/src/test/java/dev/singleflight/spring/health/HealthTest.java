package dev.singleflight.spring.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.OperationDefinition;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.Contexts;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;

/** The health that the engine reports where it is asked to. */
class HealthTest {

    @Test
    void nothingIsReportedUnlessAskedFor() {
        Contexts.plain().run(context -> assertThat(context).doesNotHaveBean(SingleFlightHealthIndicator.class));
        Contexts.plain()
                .withPropertyValues("management.health.singleflight.enabled=true")
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void saturatedOrStoppedEngineIsOutOfService() {
        Contexts.plain()
                .withPropertyValues("management.health.singleflight.enabled=true", "singleflight.max-flights=1")
                .run(context -> {
                    SingleFlightEngine engine = context.getBean(SingleFlightEngine.class);
                    SingleFlightHealthIndicator health = context.getBean(SingleFlightHealthIndicator.class);
                    assertThat(health.health().getStatus()).isEqualTo(Status.UP);

                    CompletableFuture<Integer> pending = new CompletableFuture<>();
                    CompletableFuture<Integer> caller = engine.bind(
                                    OperationDefinition.ofAsync("load", (Integer id) -> id, id -> pending))
                            .callAsync(1);
                    assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
                    assertThat(health.health().getDetails())
                            .containsEntry("activeFlights", 1)
                            .containsEntry("maxFlights", 1);
                    Contexts.awaitWaiters(context, 1);
                    pending.complete(1);
                    caller.join();
                    assertThat(health.health().getStatus()).isEqualTo(Status.UP);

                    engine.stop();
                    assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
                });
    }
}
