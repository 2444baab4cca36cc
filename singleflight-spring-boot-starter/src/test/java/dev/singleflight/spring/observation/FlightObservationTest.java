package dev.singleflight.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** How flights show up where an application is observed. */
class FlightObservationTest {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<String> stopped = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner runner =
            Contexts.plain().withBean(ObservationRegistry.class, () -> registry).withBean(Users.class, Users::new);

    FlightObservationTest() {
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context.getName() + " " + context.getLowCardinalityKeyValues() + " "
                        + (context.getParentObservation() == null
                                ? "no parent"
                                : context.getParentObservation()
                                        .getContextView()
                                        .getName())
                        + " " + context.getError());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    @Test
    void flightIsOneObservationBelowItsLeadersAndCurrentOnEveryAttempt() {
        runner.run(context -> {
            Observation.createNotStarted("caller", registry).observe(() -> {
                assertThat(context.getBean(Users.class).current(424242)).isEqualTo("singleflight.flight");
                assertThat(context.getBean(Users.class).current(424242)).isEqualTo("singleflight.flight");
            });

            assertThat(stopped).hasSize(2);
            assertThat(stopped.get(0))
                    .contains("singleflight.flight", "operation=Users.current", "outcome=success", "caller")
                    .doesNotContain("424242");
        });
    }

    @Test
    void failedFlightHasItsErrorAndOutcome() {
        runner.run(context -> {
            assertThatThrownBy(() -> context.getBean(Users.class).fail()).hasMessage("no");

            assertThat(stopped).hasSize(1);
            assertThat(stopped.get(0)).contains("outcome=failure", "IllegalStateException: no");
        });
    }

    class Users {

        @SingleFlight(cacheFor = "until-evicted")
        String current(int id) {
            Observation current = registry.getCurrentObservation();
            return current == null ? "none" : current.getContext().getName();
        }

        @SingleFlight(retries = 1)
        void fail() {
            throw new IllegalStateException("no");
        }
    }
}
