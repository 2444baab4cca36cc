package dev.singleflight.sample.proof;

import java.io.IOException;
import java.util.Locale;
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
        String url = "http://localhost:" + port;
        String user = url + "/users/" + settings.userId();
        System.out.printf("%nListening on %s%n", url);
        print(user, "a slow query, shared by all who ask while it runs");
        print(user + "?shared=false", "the same, each caller by itself");
        print(url + "/products/1", "a slow join in a transaction, kept until its price changes");
        print(url + "/rates/USD", "a remote server that fails, hangs and limits its callers");
        print(url + "/reactive/rates/USD", "the same as a Mono");
        print(url + "/actuator/singleflight", "what flew");
        System.out.println();
        if (!settings.enabled()) {
            return;
        }
        if (!FileLimit.allows(settings.callers())) {
            System.out.printf(
                    Locale.ROOT,
                    "NOT PROVED: %,d callers take two open files each, and this process may open only %,d more."
                            + " Lower sample.proof.callers or raise the limit (ulimit -n).%n%n",
                    settings.callers(),
                    FileLimit.left());
            return;
        }
        try {
            proof.run(port);
        } catch (IOException noConnection) {
            System.out.printf("NOT PROVED: the requests could not be sent (%s)%n%n", noConnection.getMessage());
        }
    }

    private static void print(String url, String meaning) {
        System.out.printf("  %-45s %s%n", url, meaning);
    }
}
