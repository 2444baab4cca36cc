package dev.singleflight.spring.aspectj;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The woven door, with the real weaver: it has to be there before the first class, so the application runs apart. */
class WeavingTest {

    @Test
    void agentWeavesWhatProxiesCannotCatchAndNothingFliesTwice(@TempDir Path directory) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String agent = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> entry.contains("aspectjweaver"))
                .findFirst()
                .orElseThrow();
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + agent,
                        "-cp",
                        classPath,
                        "example.woven.WovenApplication")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            process.waitFor();
        }

        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text)
                .contains(
                        "plain without a context: true",
                        "proxied once: true",
                        "self-invocation: true",
                        "same keys by both doors: true",
                        "private: true",
                        "final: true",
                        "class level: true",
                        "no bean: true",
                        "forgets by self-invocation: true",
                        "second context by proxy: true",
                        "plain after the context: true",
                        "serves another application context");
    }
}
