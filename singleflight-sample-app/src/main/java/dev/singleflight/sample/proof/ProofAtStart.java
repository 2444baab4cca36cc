package dev.singleflight.sample.proof;

import java.io.IOException;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says where the application listens, then runs the proof where it is wanted. */
@Component
final class ProofAtStart {

    private final ProofSettings settings;
    private final Proof proof;
    private final Environment environment;

    ProofAtStart(ProofSettings settings, Proof proof, Environment environment) {
        this.settings = settings;
        this.proof = proof;
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void run() {
        int port = environment.getRequiredProperty("local.server.port", int.class);
        System.out.printf("""

                Listening on http://localhost:%1$d
                  http://localhost:%1$d/users/%2$d                a slow query, shared by all who ask while it runs
                  http://localhost:%1$d/users/%2$d?shared=false   the same, each caller by itself
                  http://localhost:%1$d/actuator/singleflight  what flew

                """, port, settings.userId());
        if (!settings.enabled()) {
            return;
        }
        if (!FileLimit.allows(settings.callers())) {
            System.out.printf(
                    "NOT PROVED: %,d callers take two open files each, and this process may open only %,d more."
                            + " Lower sample.proof.callers or raise the limit (ulimit -n).%n%n",
                    settings.callers(), FileLimit.left());
            return;
        }
        try {
            proof.run(port);
        } catch (IOException noConnection) {
            System.out.printf("NOT PROVED: the requests could not be sent (%s)%n%n", noConnection.getMessage());
        }
    }
}
