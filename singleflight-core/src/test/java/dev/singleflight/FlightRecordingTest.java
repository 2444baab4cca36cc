package dev.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attempts and flights stand in a JFR recording. */
@Timeout(60)
class FlightRecordingTest {

    @Test
    void recordingShowsEveryAttemptAndTheFlight(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("flights.jfr");
        try (Recording recording = new Recording();
                SingleFlightEngine engine = SingleFlightEngine.builder().build()) {
            recording.enable("dev.singleflight.AttemptEnded");
            recording.enable("dev.singleflight.FlightSettled");
            recording.start();
            int[] attempts = {0};
            Operation<String, String> operation = engine.bind(
                    OperationDefinition.of("recorded", key -> key, key -> {
                        if (++attempts[0] == 1) {
                            throw new IOException("first");
                        }
                        return key;
                    }),
                    OperationSettings.builder().retries(1).build());
            operation.call("secret");
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.singleflight.AttemptEnded"))
                .extracting(event -> event.getInt("attempt"), event -> event.getString("result"))
                .containsExactlyInAnyOrder(tuple(1, "FAILURE"), tuple(2, "SUCCESS"));
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.singleflight.FlightSettled"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getString("operation")).isEqualTo("recorded");
                    assertThat(event.getInt("attempts")).isEqualTo(2);
                    assertThat(event.getInt("waiters")).isEqualTo(1);
                    assertThat(event.toString()).doesNotContain("secret");
                });
    }
}
