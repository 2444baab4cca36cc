package dev.singleflight.sample.proof;

import dev.singleflight.OperationSnapshot;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.sample.profile.ProfileRepository;
import dev.singleflight.sample.proof.Round.Flights;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** Loads the running application over its own port and counts what that cost. */
@Component
final class Proof {

    private static final String OPERATION = "Profiles.profile";
    private static final long NOBODY = 0;

    /** A thousand cold requests take longer than the query that all of them are to find running. */
    private static final int WARM_UP_ROUNDS = 3;

    private final ProofSettings settings;
    private final SingleFlightEngine engine;
    private final ProfileRepository repository;
    private final StartingGate gate;

    Proof(ProofSettings settings, SingleFlightEngine engine, ProfileRepository repository, StartingGate gate) {
        this.settings = settings;
        this.engine = engine;
        this.repository = repository;
        this.gate = gate;
    }

    /** Blocks until all callers have their answers, and prints what they got. */
    void run(int port) throws IOException {
        String path = "/users/" + settings.userId();
        System.out.printf("Proof: %,d concurrent requests for %s%n", settings.callers(), path);
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            round(port, "/users/" + NOBODY, "warm-up");
        }
        Round shared = round(port, path, "single flight on");
        Round alone = settings.compare() ? round(port, path + "?shared=false", "single flight off") : null;
        System.out.printf("%n%s%n", new Report(shared, alone));
    }

    private Round round(int port, String path, String name) throws IOException {
        Flights flightsBefore = flights();
        long executionsBefore = repository.executions();
        gate.closeUntil(settings.callers());
        Answers answers = Stampede.run(
                port,
                path,
                settings.callers(),
                answered -> System.out.printf("  %s: %,d of %,d answered%n", name, answered, settings.callers()));
        gate.abandon();
        return new Round(
                settings.callers(),
                repository.executions() - executionsBefore,
                flights().since(flightsBefore),
                answers);
    }

    private Flights flights() {
        OperationSnapshot figures = engine.snapshot().operations().get(OPERATION);
        return figures == null ? Flights.NONE : Flights.of(figures);
    }
}
