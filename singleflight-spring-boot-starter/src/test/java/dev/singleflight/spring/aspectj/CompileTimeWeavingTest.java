package dev.singleflight.spring.aspectj;

import static dev.singleflight.spring.Contexts.awaitWaiters;
import static org.assertj.core.api.Assertions.assertThat;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.Threads;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.aspectj.bridge.IMessage;
import org.aspectj.bridge.MessageHandler;
import org.aspectj.tools.ajc.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the starter on the aspect path of AspectJ's compiler, methods fly that no proxy can catch. */
class CompileTimeWeavingTest {

    @TempDir
    Path directory;

    @Test
    void privateMethodFlies() throws Exception {
        LongFunction<String> users = woven();
        Contexts.plain().run(context -> {
            List<CompletableFuture<String>> callers = Threads.start(10, () -> users.apply(7));
            awaitWaiters(context, 10);
            CompiledUsers.Gate.OPEN.countDown();

            for (CompletableFuture<String> caller : callers) {
                assertThat(caller.get()).isEqualTo("user 7");
            }
            assertThat(CompiledUsers.Gate.EXECUTIONS).hasValue(1);
        });
    }

    @SuppressWarnings("unchecked")
    private LongFunction<String> woven() throws Exception {
        String file = CompiledUsers.class.getName().replace('.', '/') + ".class";
        Path original = directory.resolve("original");
        Files.createDirectories(original.resolve(file).getParent());
        Files.copy(Path.of(locationOf(CompiledUsers.class)).resolve(file), original.resolve(file));
        Path woven = directory.resolve("woven");
        weave(original, woven);
        URL[] places = {woven.toUri().toURL()};
        Class<?> users = new WovenFirst(places).loadClass(CompiledUsers.class.getName());
        return (LongFunction<String>) users.getDeclaredConstructor().newInstance();
    }

    private static void weave(Path from, Path to) throws Exception {
        MessageHandler messages = new MessageHandler(true);
        new Main()
                .run(
                        new String[] {
                            "-17",
                            "-inpath",
                            from.toString(),
                            "-aspectpath",
                            Path.of(locationOf(SingleFlightAspect.class)).toString(),
                            "-classpath",
                            System.getProperty("java.class.path"),
                            "-d",
                            to.toString()
                        },
                        messages);
        assertThat(messages.getMessages(IMessage.WARNING, true)).isEmpty();
    }

    private static URI locationOf(Class<?> type) throws Exception {
        return type.getProtectionDomain().getCodeSource().getLocation().toURI();
    }

    /** Prefers the woven classes to those that the test was compiled to. */
    private static final class WovenFirst extends URLClassLoader {

        WovenFirst(URL[] places) {
            super(places, CompileTimeWeavingTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(CompiledUsers.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }
}
