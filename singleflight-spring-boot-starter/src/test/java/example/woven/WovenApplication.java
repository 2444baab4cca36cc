package example.woven;

import dev.singleflight.OperationSnapshot;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Run by a test in a JVM of its own, with the weaver as an agent; prints what each claim came to. */
public class WovenApplication {

    public static void main(String[] args) {
        Users plain = new Users();
        print("plain without a context", !same(() -> plain.load(1)));
        ConfigurableApplicationContext context = start();
        Users users = context.getBean(Users.class);
        print("proxied once", same(() -> users.load(1)) && calls(context, "Users.load") == 2);
        print("self-invocation", same(() -> users.loadBySelf(2)));
        print("same keys by both doors", users.loadBySelf(1) == users.load(1));
        print("private", same(() -> users.callsPrivate(1)));
        print("final", same(() -> users.loadFinal(1)));
        print("class level", same(() -> users.byClass(1)));
        Users noBean = new Users();
        print("no bean", same(() -> noBean.load(1)) && noBean.load(1) != users.load(1));
        int before = users.load(1);
        users.forgetBySelf(1);
        print("forgets by self-invocation", users.load(1) != before);
        ConfigurableApplicationContext second = start();
        Users ofSecond = second.getBean(Users.class);
        print("second context by proxy", same(() -> ofSecond.load(1)) && calls(second, "Users.load") == 2);
        second.close();
        context.close();
        print("plain after the context", !same(() -> plain.load(1)));
    }

    private static boolean same(IntSupplier call) {
        int first = call.getAsInt();
        return first == call.getAsInt();
    }

    private static ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .run();
    }

    private static long calls(ConfigurableApplicationContext context, String operation) {
        OperationSnapshot figures = context.getBean(SingleFlightEngine.class).snapshot(operation);
        return figures == null ? -1 : figures.calls();
    }

    private static void print(String claim, boolean holds) {
        System.out.println(claim + ": " + holds);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Users users() {
            return new Users();
        }
    }

    @SingleFlight(cacheFor = "until-evicted", operation = "${byclass:byClass}")
    public static class Users {

        private static final AtomicInteger RUNS = new AtomicInteger();

        @SingleFlight(cacheFor = "until-evicted")
        int load(int id) {
            return RUNS.incrementAndGet();
        }

        int loadBySelf(int id) {
            return load(id);
        }

        @SingleFlight(cacheFor = "until-evicted")
        private int loadPrivate(int id) {
            return RUNS.incrementAndGet();
        }

        int callsPrivate(int id) {
            return loadPrivate(id);
        }

        @SingleFlight(cacheFor = "until-evicted")
        final int loadFinal(int id) {
            return RUNS.incrementAndGet();
        }

        public int byClass(int id) {
            return RUNS.incrementAndGet();
        }

        @ForgetFlight(operation = "Users.load", key = "#id")
        void forget(int id) {}

        void forgetBySelf(int id) {
            forget(id);
        }
    }
}
