package dev.singleflight.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import dev.singleflight.spring.interceptor.CallRoot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.core.io.support.SpringFactoriesLoader;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A native image keeps what annotations and their expressions reach by reflection. */
class HintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    @Test
    void annotatedMethodsAreKept() throws Exception {
        registerReflective(Users.class);

        assertThat(reflection().onMethodInvocation(Users.class.getDeclaredMethod("profile", Query.class)))
                .accepts(hints);
        assertThat(reflection().onMethodInvocation(Users.class.getDeclaredMethod("change", Query.class)))
                .accepts(hints);
    }

    @Test
    void methodsOfAnAnnotatedClassAreKept() throws Exception {
        registerReflective(Reports.class);

        assertThat(reflection().onMethodInvocation(Reports.class.getMethod("report", Query.class)))
                .accepts(hints);
    }

    @Test
    void whatExpressionsMayAskOfArgumentsAndResultsIsKept() {
        registerReflective(Users.class);

        assertThat(reflection().onType(Query.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
        assertThat(reflection().onType(Profile.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                InOptional.class,
                InFuture.class,
                InMono.class,
                InFlux.class,
                InMonoOfOptional.class,
                InArray.class
            })
    void whatIsInsideOfWrappersAndArraysIsKept(Class<?> inside) {
        registerReflective(Wrapping.class);

        assertThat(reflection().onType(inside).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
    }

    @Test
    void rootOfExpressionsIsKept() {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));

        assertThat(reflection().onType(CallRoot.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
    }

    private void registerReflective(Class<?> type) {
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, type);
    }

    record Query(long id) {}

    record Profile(long id) {}

    static class Users {

        @SingleFlight(key = "#query.id")
        Profile profile(Query query) {
            return new Profile(query.id());
        }

        @ForgetFlight(operation = "Users.profile", key = "#result.id")
        Profile change(Query query) {
            return new Profile(query.id());
        }
    }

    @SingleFlight
    static class Reports {

        public void report(Query query) {}
    }

    record InOptional(long id) {}

    record InFuture(long id) {}

    record InMono(long id) {}

    record InFlux(long id) {}

    record InMonoOfOptional(long id) {}

    record InArray(long id) {}

    interface Wrapping {

        @SingleFlight
        Optional<InOptional> optional();

        @SingleFlight
        CompletableFuture<? extends InFuture> future();

        @SingleFlight
        Mono<InMono> mono();

        @SingleFlight
        Flux<InFlux> flux();

        @SingleFlight
        Mono<Optional<InMonoOfOptional>> monoOfOptional();

        @SingleFlight
        <T extends CompletableFuture<T>> T itself();

        @SingleFlight(key = "#queries[0][0].id")
        void array(InArray[][] queries);
    }
}
