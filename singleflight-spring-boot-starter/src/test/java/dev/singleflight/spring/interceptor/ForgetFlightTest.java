package dev.singleflight.spring.interceptor;

import static dev.singleflight.spring.Contexts.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.singleflight.OperationDefinition;
import dev.singleflight.OperationSettings;
import dev.singleflight.Retention;
import dev.singleflight.SingleFlightEngine;
import dev.singleflight.spring.Contexts;
import dev.singleflight.spring.SingleFlightKeyContributor;
import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that change data forget what single flight has kept of it. */
class ForgetFlightTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<String> pending = new CompletableFuture<>();
    private final ApplicationContextRunner runner = Contexts.plain().withBean(Users.class, Users::new);

    @Test
    void successForgetsTheKeyAndNoOther() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);
            int eight = users.load(8);

            users.rename(7);

            assertThat(users.load(7)).isNotEqualTo(seven);
            assertThat(users.load(8)).isEqualTo(eight);
        });
    }

    @Test
    void keyMayBeMadeOfTheResult() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);

            assertThat(users.create()).isEqualTo(7);

            assertThat(users.load(7)).isNotEqualTo(seven);
        });
    }

    @Test
    void severalOnOneMethodAllForget() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);
            int other = users.other(1);

            users.both(7);

            assertThat(users.load(7)).isNotEqualTo(seven);
            assertThat(users.other(1)).isNotEqualTo(other);
        });
    }

    @Test
    void failureForgetsNothing() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);

            assertThatThrownBy(() -> users.fail(7)).hasMessage("no");

            assertThat(users.load(7)).isEqualTo(seven);
        });
    }

    @Test
    void activeTransactionForgetsAfterCommitAndNotBefore() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);

            new TransactionTemplate(new NoTransactions()).executeWithoutResult(status -> {
                users.rename(7);
                assertThat(users.load(7)).isEqualTo(seven);
            });

            assertThat(users.load(7)).isNotEqualTo(seven);
        });
    }

    @Test
    void othersThatHearOfTheCommitFindTheKeyForgotten() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);
            AtomicInteger seenAtCommit = new AtomicInteger();

            new TransactionTemplate(new NoTransactions()).executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        seenAtCommit.set(users.load(7));
                    }
                });
                users.rename(7);
            });

            assertThat(seenAtCommit.get()).isNotZero().isNotEqualTo(seven);
        });
    }

    @Test
    void keyThatCannotBeEvaluatedFailsAndKeepsNoOtherKeyFromBeingForgotten() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);
            int other = users.other(7);

            assertThatThrownBy(() -> users.partly(7, null)).hasMessageContaining("#name.length()");

            assertThat(users.load(7)).isNotEqualTo(seven);
            assertThat(users.other(7)).isNotEqualTo(other);
        });
    }

    @Test
    void keyThatCannotBeEvaluatedKeepsNoOtherKeyOfAFutureFromBeingForgotten() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);

            CompletableFuture<String> renaming = users.partlyLater(7, null);
            pending.complete("done");

            assertThat(renaming).isCompletedExceptionally();
            assertThat(users.load(7)).isNotEqualTo(seven);
        });
    }

    @Test
    void rollbackForgetsNothing() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);

            new TransactionTemplate(new NoTransactions()).executeWithoutResult(status -> {
                users.rename(7);
                status.setRollbackOnly();
            });

            assertThat(users.load(7)).isEqualTo(seven);
        });
    }

    @Test
    void futureForgetsOnCompletionBeforeItsCallerSeesIt() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);

            CompletableFuture<String> renaming = users.renameLater(7);
            assertThat(users.load(7)).isEqualTo(seven);
            pending.complete("done");

            assertThat(renaming.join()).isEqualTo("done");
            assertThat(users.load(7)).isNotEqualTo(seven);
        });
    }

    @Test
    void failedFutureForgetsNothingAndFailsWithTheOriginal() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int seven = users.load(7);
            IllegalStateException failure = new IllegalStateException();

            CompletableFuture<String> renaming = users.renameLater(7);
            pending.completeExceptionally(failure);

            assertThat(renaming.handle((value, thrown) -> thrown).join()).isSameAs(failure);
            assertThat(users.load(7)).isEqualTo(seven);
        });
    }

    @Test
    void publishersForgetOnCompletion() {
        runner.run(context -> {
            Users users = context.getBean(Users.class);
            int first = users.load(7);
            Mono<Integer> mono = users.createReactively();
            assertThat(users.load(7)).isEqualTo(first);
            mono.block();
            int second = users.load(7);
            assertThat(second).isNotEqualTo(first);
            users.createMany().blockLast();
            assertThat(users.load(7)).isNotEqualTo(second);
        });
    }

    @Test
    void nameOfSeveralIdentitiesForgetsInAllOfThemAndInThoseOfCode() {
        Contexts.plain()
                .withBean("one", Users.class, Users::new)
                .withBean("two", Users.class, Users::new)
                .run(context -> {
                    SingleFlightEngine engine = context.getBean(SingleFlightEngine.class);
                    var operation = engine.bind(
                            OperationDefinition.of("Users.load", (Integer id) -> id, id -> runs.incrementAndGet()),
                            OperationSettings.builder()
                                    .cacheFor(Retention.untilEvicted())
                                    .build());
                    Users one = context.getBean("one", Users.class);
                    Users two = context.getBean("two", Users.class);
                    int ofOne = one.load(7);
                    int ofTwo = two.load(7);
                    int ofCode = operation.call(7);

                    one.rename(7);

                    assertThat(one.load(7)).isNotEqualTo(ofOne);
                    assertThat(two.load(7)).isNotEqualTo(ofTwo);
                    assertThat(operation.call(7)).isNotEqualTo(ofCode);
                });
    }

    @Test
    void contributorsPartIsTheOneOfTheCallAndAllKeysGoUnderEveryPart() {
        AtomicReference<String> tenant = new AtomicReference<>("one");
        runner.withBean(SingleFlightKeyContributor.class, () -> (method, target, arguments) -> tenant.get())
                .run(context -> {
                    Users users = context.getBean(Users.class);
                    int ofOne = users.load(7);
                    tenant.set("two");
                    int ofTwo = users.load(7);

                    users.rename(7);
                    int ofTwoAgain = users.load(7);
                    assertThat(ofTwoAgain).isNotEqualTo(ofTwo);
                    tenant.set("one");
                    assertThat(users.load(7)).isEqualTo(ofOne);

                    users.clear();
                    assertThat(users.load(7)).isNotEqualTo(ofOne);
                    tenant.set("two");
                    assertThat(users.load(7)).isNotEqualTo(ofTwoAgain);
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {Neither.class, Both.class, Unknown.class})
    void contradictionsAndUnknownOperationsFailAtStartUp(Class<?> type) {
        runner.withBean(type)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("@ForgetFlight on " + type.getSimpleName() + ".change()"));
    }

    @ParameterizedTest
    @ValueSource(classes = {PlainFutures.class, FuturesOfItsOwn.class, Suspending.class})
    void resultsThatDoNotTellOfTheirCompletionAreRefusedAtStartUp(Class<?> type) {
        runner.withBean(type)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining("@ForgetFlight on " + type.getSimpleName() + ".change("));
    }

    @Test
    void switchedOffNothingIsForgotten() {
        runner.withBean(Unknown.class)
                .withPropertyValues("singleflight.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    class Users {

        @SingleFlight(cacheFor = "until-evicted")
        int load(int id) {
            return runs.incrementAndGet();
        }

        @SingleFlight(cacheFor = "until-evicted")
        int other(int id) {
            return runs.incrementAndGet();
        }

        @ForgetFlight(operation = "Users.load", key = "#id")
        void rename(int id) {}

        @ForgetFlight(operation = "Users.load", key = "#result")
        Integer create() {
            return 7;
        }

        @ForgetFlight(operation = "Users.load", key = "#p0")
        @ForgetFlight(operation = "Users.other", allKeys = true)
        void both(int id) {}

        @ForgetFlight(operation = "Users.load", key = "#id")
        @ForgetFlight(operation = "Users.load", key = "#name.length()")
        @ForgetFlight(operation = "Users.other", key = "#id")
        void partly(int id, String name) {}

        @ForgetFlight(operation = "Users.load", key = "#name.length()")
        @ForgetFlight(operation = "Users.load", key = "#id")
        CompletableFuture<String> partlyLater(int id, String name) {
            return pending;
        }

        @ForgetFlight(operation = "Users.load", key = "#id")
        void fail(int id) {
            throw new IllegalStateException("no");
        }

        @ForgetFlight(operation = "Users.load", key = "#id")
        CompletableFuture<String> renameLater(int id) {
            return pending;
        }

        @ForgetFlight(operation = "Users.load", key = "#result")
        Mono<Integer> createReactively() {
            return Mono.just(7);
        }

        @ForgetFlight(operation = "Users.load", allKeys = true)
        Flux<Integer> createMany() {
            return Flux.just(7, 8);
        }

        @ForgetFlight(operation = "${users.operation:Users.load}", allKeys = true)
        void clear() {}
    }

    static class Neither {
        @ForgetFlight(operation = "Users.load")
        void change() {}
    }

    static class Both {
        @ForgetFlight(operation = "Users.load", key = "1", allKeys = true)
        void change() {}
    }

    static class Unknown {
        @ForgetFlight(operation = "Users.laod", key = "1")
        void change() {}
    }

    static class PlainFutures {
        @ForgetFlight(operation = "Users.load", key = "1")
        Future<String> change() {
            return CompletableFuture.completedFuture("done");
        }
    }

    static class OwnFuture extends CompletableFuture<String> {}

    static class FuturesOfItsOwn {
        @ForgetFlight(operation = "Users.load", key = "1")
        OwnFuture change() {
            return new OwnFuture();
        }
    }

    static class Suspending {
        @ForgetFlight(operation = "Users.load", key = "1")
        Object change(kotlin.coroutines.Continuation<? super String> continuation) {
            return "done";
        }
    }
}
