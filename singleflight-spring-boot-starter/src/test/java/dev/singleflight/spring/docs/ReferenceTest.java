package dev.singleflight.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.actuate.SingleFlightEndpoint;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference.md and the code speak of the same things. */
class ReferenceTest {

    private final String reference = read();

    @Test
    void everyPropertyIsDocumented() throws IOException {
        assertThat(properties())
                .isNotEmpty()
                .allSatisfy(property -> assertThat(firstColumns()).contains(property));
    }

    @Test
    void everyPropertyOfTheReferenceExists() throws IOException {
        Set<String> documented = new TreeSet<>();
        section("Properties")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> documented.add(name(line)));

        assertThat(properties()).isNotEmpty().containsAll(documented);
    }

    @Test
    void everyAttributeIsDocumented() {
        for (Class<?> annotation : List.of(SingleFlight.class, ForgetFlight.class)) {
            for (Method attribute : annotation.getDeclaredMethods()) {
                assertThat(firstColumns()).contains(attribute.getName());
            }
        }
    }

    @Test
    void everyMeterIsDocumentedAndTheOtherWayRound() {
        Set<String> meters = new TreeSet<>();
        Contexts.plain()
                .withBean(SimpleMeterRegistry.class)
                .withBean(Users.class)
                .withPropertyValues("singleflight.cache.max-bytes=1MB")
                .run(context -> context.getBean(MeterRegistry.class)
                        .getMeters()
                        .forEach(meter -> meters.add(meter.getId().getName())));

        Set<String> documented = new TreeSet<>();
        section("Meters").lines().filter(line -> line.startsWith("| `")).forEach(line -> documented.add(name(line)));
        assertThat(meters).isEqualTo(documented);
    }

    @Test
    void everyFigureOfTheEndpointIsDocumented() {
        Contexts.plain()
                .withBean(Users.class)
                .withPropertyValues("management.endpoints.web.exposure.include=*", "singleflight.cache.max-bytes=1MB")
                .run(context -> {
                    SingleFlightEndpoint endpoint = context.getBean(SingleFlightEndpoint.class);
                    Map<?, ?> all = endpoint.flights();
                    assertDocumented((Map<?, ?>) all.get("engine"));
                    assertDocumented(endpoint.operation("Users.profile"));
                });
    }

    private void assertDocumented(Map<?, ?> body) {
        assertThat(body).isNotEmpty();
        body.keySet().forEach(name -> assertThat(section("The endpoint")).contains("\"" + name + "\":"));
    }

    private static Set<String> properties() throws IOException {
        Set<String> names = new TreeSet<>();
        for (URL metadata : Collections.list(
                ReferenceTest.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                List<String> all = JsonPath.read(in, "$.properties[*].name");
                all.stream().filter(name -> name.contains("singleflight")).forEach(names::add);
            }
        }
        return names;
    }

    /** The names in code style in the first columns of all tables. */
    private Set<String> firstColumns() {
        Set<String> names = new TreeSet<>();
        reference
                .lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> Pattern.compile("`([^`]+)`")
                        .matcher(line.substring(0, line.indexOf(" | ")))
                        .results()
                        .forEach(code -> names.add(code.group(1))));
        return names;
    }

    private String section(String title) {
        int start = reference.indexOf("\n## " + title + "\n");
        assertThat(start).as(title).isNotNegative();
        int end = reference.indexOf("\n## ", start + 1);
        return reference.substring(start, end < 0 ? reference.length() : end);
    }

    private static String name(String line) {
        return line.substring(3, line.indexOf('`', 3));
    }

    private static String read() {
        try {
            return Files.readString(Path.of("../docs/reference.md"));
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }

    static class Users {

        @SingleFlight
        void profile() {}
    }
}
