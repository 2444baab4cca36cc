package dev.singleflight.spring.interceptor;

import static dev.singleflight.spring.Contexts.figures;
import static dev.singleflight.spring.Contexts.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.annotation.SingleFlight;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What an annotated method may return, and how its callers are served. */
class ReturnTypesTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<Integer> pending = new CompletableFuture<>();
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Results.class, Results::new);

    @Test
    void valuesPrimitivesOptionalsAndVoidAreSharedAndRetained() {
        runner.run(context -> {
            Results results = context.getBean(Results.class);

            assertThat(results.primitive()).isEqualTo(results.primitive());
            assertThat(results.optional()).isPresent().isEqualTo(results.optional());
            assertThat(results.nothing()).isNull();
            assertThat(results.nothing()).isNull();
            results.action();
            results.action();
            assertThat(runs).hasValue(4);
        });
    }

    @Test
    void futuresJoinAndEachCallerHasItsOwn() {
        runner.run(context -> {
            Results results = context.getBean(Results.class);
            CompletableFuture<Integer> one = results.future();
            CompletableFuture<Integer> two = results.future();
            CompletionStage<Integer> stage = results.stage();
            Contexts.awaitWaiters(context, 3);

            one.cancel(true);
            pending.complete(7);

            assertThatThrownBy(one::join).isInstanceOf(CancellationException.class);
            assertThat(two.join()).isEqualTo(7);
            assertThat(stage.toCompletableFuture().join()).isEqualTo(7);
            assertThat(figures(context, "Results.future").executions()).isEqualTo(1);
            assertThat(results.future().join()).isEqualTo(7);
            assertThat(figures(context, "Results.future").retainedHits()).isEqualTo(1);
        });
    }

    @Test
    void failedFuturesAreRetriedAndFailWithTheOriginal() {
        runner.run(context -> {
            assertThatThrownBy(() -> context.getBean(Results.class).failing().get())
                    .cause()
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("run 3");
        });
    }

    @Test
    void futureThatIsNullFailsTheFlight() {
        runner.run(context -> assertThatThrownBy(
                        () -> context.getBean(Results.class).nullFuture().get())
                .hasMessageContaining("Results.nullFuture()"));
    }

    @Test
    void monoStartsOnSubscriptionAndSubscribersJoin() {
        runner.run(context -> {
            Mono<Integer> mono = context.getBean(Results.class).mono();
            assertThat(runs).hasValue(0);

            CompletableFuture<Integer> one = mono.toFuture();
            CompletableFuture<Integer> two = mono.toFuture();
            Disposable leaving = mono.subscribe();
            Contexts.awaitWaiters(context, 3);
            leaving.dispose();
            Contexts.awaitWaiters(context, 2);
            pending.complete(7);

            assertThat(one.join()).isEqualTo(7);
            assertThat(two.join()).isEqualTo(7);
            assertThat(mono.block()).isEqualTo(7);
            assertThat(runs).hasValue(1);
            assertThat(figures(context, "Results.mono").retainedHits()).isEqualTo(1);
        });
    }

    @Test
    void emptyMonoAndFluxAreRetainedAsTheyAre() {
        runner.run(context -> {
            Results results = context.getBean(Results.class);

            assertThat(results.emptyMono().blockOptional()).isEmpty();
            assertThat(results.emptyMono().blockOptional()).isEmpty();
            assertThat(results.flux().collectList().block()).containsExactly(1, 2, 3);
            assertThat(results.flux().collectList().block()).containsExactly(1, 2, 3);
            assertThat(runs).hasValue(2);
        });
    }

    @Test
    void failedPublishersAreRetriedAndFailWithTheOriginal() {
        runner.run(context -> {
            AtomicInteger seen = new AtomicInteger();
            context.getBean(Results.class)
                    .failingMono()
                    .onErrorResume(IOException.class, failure -> {
                        seen.set(runs.get());
                        return Mono.empty();
                    })
                    .block();

            assertThat(seen).hasValue(3);
        });
    }

    @Test
    void valuesThatAnExpressionExcludesAreNotRetained() {
        runner.run(context -> {
            Results results = context.getBean(Results.class);

            assertThat(results.excludedOptional("x")).isNotEqualTo(results.excludedOptional("x"));
            assertThat(results.excludedOptional("keep")).isEqualTo(results.excludedOptional("keep"));
            assertThat(results.excludedMono("x").block())
                    .isNotEqualTo(results.excludedMono("x").block());
            assertThat(results.excludedMono("keep").block())
                    .isEqualTo(results.excludedMono("keep").block());
            assertThat(results.excludedFuture("x").join())
                    .isNotEqualTo(results.excludedFuture("x").join());
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OptionalMonos.class,
                OptionalFutures.class,
                OptionalsOfOptionalMonos.class,
                FuturesOfMonos.class,
                FuturesOfFluxes.class,
                FuturesOfPublishers.class,
                MonosOfMonos.class,
                MonosOfFutures.class
            })
    void futuresAndPublishersInsideOthersAreRefusedAtStartUp(Class<?> type) {
        Contexts.plain()
                .withBean(type)
                .run(context -> assertThat(refusal(context)).hasMessageContaining(type.getSimpleName() + ".read()"));
    }

    @Test
    void refusalOfAnInnerPublisherSaysWhy() {
        Contexts.plain()
                .withBean(OptionalMonos.class)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("reactor.core.publisher.Mono inside another type")
                        .hasMessageContaining("shared and retained itself"));
    }

    @Test
    void optionalsInsideOthersAreAllowed() {
        Contexts.plain()
                .withBean(Optionals.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Streams.class,
                Streaming.class,
                Iterators.class,
                Publishers.class,
                FuturesOfStreams.class,
                OptionalStreams.class,
                MonosOfIterators.class,
                PlainFutures.class
            })
    void resultsThatCanBeReadOnceAreRefusedAtStartUp(Class<?> type) {
        Contexts.plain()
                .withBean(type)
                .run(context -> assertThat(refusal(context)).hasMessageContaining(type.getSimpleName() + ".read()"));
    }

    @Test
    void suspendFunctionsAreRefusedAtStartUp() {
        Contexts.plain()
                .withBean(Suspending.class)
                .run(context -> assertThat(refusal(context)).hasMessageContaining("suspend function"));
    }

    class Results {

        @SingleFlight(cacheFor = "1h")
        int primitive() {
            return runs.incrementAndGet();
        }

        @SingleFlight(cacheFor = "1h")
        Optional<Integer> optional() {
            return Optional.of(runs.incrementAndGet());
        }

        @SingleFlight(cacheFor = "1h")
        Object nothing() {
            runs.incrementAndGet();
            return null;
        }

        @SingleFlight(cacheFor = "1h")
        void action() {
            runs.incrementAndGet();
        }

        @SingleFlight(cacheFor = "1h")
        CompletableFuture<Integer> future() {
            return pending;
        }

        @SingleFlight
        CompletionStage<Integer> stage() {
            return pending.minimalCompletionStage();
        }

        @SingleFlight(retries = 2)
        CompletableFuture<Integer> failing() {
            return CompletableFuture.failedFuture(new IOException("run " + runs.incrementAndGet()));
        }

        @SingleFlight
        CompletableFuture<Integer> nullFuture() {
            return null;
        }

        @SingleFlight(cacheFor = "1h")
        Mono<Integer> mono() {
            runs.incrementAndGet();
            return Mono.fromFuture(pending);
        }

        @SingleFlight(cacheFor = "1h")
        Mono<Integer> emptyMono() {
            return Mono.fromRunnable(runs::incrementAndGet);
        }

        @SingleFlight(cacheFor = "1h")
        Flux<Integer> flux() {
            runs.incrementAndGet();
            return Flux.just(1, 2, 3);
        }

        @SingleFlight(retries = 2)
        Mono<Integer> failingMono() {
            return Mono.error(() -> new IOException("run " + runs.incrementAndGet()));
        }

        @SingleFlight(cacheFor = "1h", cacheUnless = "!#result.startsWith('keep')")
        Optional<String> excludedOptional(String text) {
            return Optional.of(text + runs.incrementAndGet());
        }

        @SingleFlight(cacheFor = "1h", cacheUnless = "#text == 'x' && #result != null")
        Mono<String> excludedMono(String text) {
            return Mono.just(text + runs.incrementAndGet());
        }

        @SingleFlight(cacheFor = "1h", cacheUnless = "#result.length() > 0")
        CompletableFuture<String> excludedFuture(String text) {
            return CompletableFuture.completedFuture(text + runs.incrementAndGet());
        }
    }

    static class Streams {
        @SingleFlight
        Stream<String> read() {
            return Stream.of();
        }
    }

    static class Streaming {
        @SingleFlight
        InputStream read() {
            return InputStream.nullInputStream();
        }
    }

    static class Iterators {
        @SingleFlight
        Iterator<String> read() {
            return List.<String>of().iterator();
        }
    }

    static class Publishers {
        @SingleFlight
        Flow.Publisher<String> read() {
            return subscriber -> {};
        }
    }

    static class FuturesOfStreams {
        @SingleFlight
        CompletableFuture<InputStream> read() {
            return null;
        }
    }

    static class OptionalStreams {
        @SingleFlight
        Optional<Stream<String>> read() {
            return Optional.empty();
        }
    }

    static class MonosOfIterators {
        @SingleFlight
        Mono<Iterator<String>> read() {
            return Mono.empty();
        }
    }

    static class PlainFutures {
        @SingleFlight
        Future<String> read() {
            return null;
        }
    }

    static class OptionalMonos {
        @SingleFlight
        Optional<Mono<String>> read() {
            return Optional.empty();
        }
    }

    static class OptionalFutures {
        @SingleFlight
        Optional<Future<String>> read() {
            return Optional.empty();
        }
    }

    static class OptionalsOfOptionalMonos {
        @SingleFlight
        Optional<Optional<Mono<String>>> read() {
            return Optional.empty();
        }
    }

    static class FuturesOfMonos {
        @SingleFlight
        CompletableFuture<? extends Mono<String>> read() {
            return null;
        }
    }

    static class FuturesOfFluxes {
        @SingleFlight
        CompletableFuture<Optional<Flux<String>>> read() {
            return null;
        }
    }

    static class FuturesOfPublishers {
        @SingleFlight
        CompletableFuture<Publisher<String>> read() {
            return null;
        }
    }

    static class MonosOfMonos {
        @SingleFlight
        Mono<Mono<String>> read() {
            return Mono.empty();
        }
    }

    static class MonosOfFutures {
        @SingleFlight
        Mono<CompletableFuture<String>> read() {
            return Mono.empty();
        }
    }

    static class Optionals {
        @SingleFlight
        Mono<Optional<String>> mono() {
            return Mono.empty();
        }

        @SingleFlight
        CompletableFuture<Optional<Optional<String>>> future() {
            return new CompletableFuture<>();
        }
    }

    static class Suspending {
        @SingleFlight
        Object read(String id, kotlin.coroutines.Continuation<? super String> continuation) {
            return id;
        }
    }
}
