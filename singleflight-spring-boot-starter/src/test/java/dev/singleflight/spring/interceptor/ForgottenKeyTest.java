package dev.singleflight.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A forget meets the key of a call however either of the two is made. */
class ForgottenKeyTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Files.class, Files::new);

    @Test
    void arraysInAListAreForgottenUnderTheDefaultKey() {
        forgotten(files -> files.all(hashes(1, 2)));
    }

    @Test
    void arraysInAListAreForgottenUnderANamedKey() {
        forgotten(files -> files.named(hashes(1, 2), "x"));
    }

    @Test
    void arraysInAListAreForgottenUnderAnEvaluatedKey() {
        forgotten(files -> files.evaluated(hashes(1, 2)));
    }

    @Test
    void arraysInAListAmongOtherArgumentsAreForgotten() {
        forgotten(files -> files.several(hashes(1, 2), 1));
    }

    @Test
    void nullArgumentIsForgotten() {
        runner.run(context -> {
            Files files = context.getBean(Files.class);
            int before = files.all(null);

            files.change(null);

            assertThat(files.all(null)).isNotEqualTo(before);
        });
    }

    private void forgotten(Function<Files, Integer> call) {
        runner.run(context -> {
            Files files = context.getBean(Files.class);
            int before = call.apply(files);
            files.change(hashes(2, 1));
            assertThat(call.apply(files)).isEqualTo(before);

            files.change(hashes(1, 2));

            assertThat(call.apply(files)).isNotEqualTo(before);
        });
    }

    private static List<byte[]> hashes(int first, int second) {
        return Arrays.asList(new byte[] {(byte) first}, null, new byte[] {(byte) second});
    }

    class Files {

        @SingleFlight(cacheFor = "until-evicted")
        int all(List<byte[]> ids) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "#ids", cacheFor = "until-evicted")
        int named(List<byte[]> ids, String other) {
            return runs.incrementAndGet();
        }

        @SingleFlight(key = "#ids.subList(0, #ids.size())", cacheFor = "until-evicted")
        int evaluated(List<byte[]> ids) {
            return runs.incrementAndGet();
        }

        @SingleFlight(cacheFor = "until-evicted")
        int several(List<byte[]> ids, int page) {
            return runs.incrementAndGet();
        }

        @ForgetFlight(operation = "Files.all", key = "#ids")
        @ForgetFlight(operation = "Files.named", key = "#ids")
        @ForgetFlight(operation = "Files.evaluated", key = "#ids")
        @ForgetFlight(operation = "Files.several", key = "{#ids, 1}")
        void change(List<byte[]> ids) {}
    }
}
