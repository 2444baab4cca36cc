package dev.singleflight.sample.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.singleflight.AttemptTimeoutException;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.HttpServerErrorException;

class ExchangeRatesTest {

    private static final String PATIENT = "30s";
    private static final Rate DOLLAR = new Rate("USD", new BigDecimal("1.0842"));

    @Test
    void aHundredCallersAskTheExchangeOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(100);
        try (var application = start(0, 0, 1, PATIENT)) {
            CyclicBarrier together = new CyclicBarrier(100);
            List<Future<Rate>> rates = IntStream.range(0, 100)
                    .mapToObj(caller -> threads.submit(() -> {
                        together.await(30, TimeUnit.SECONDS);
                        return rates(application).rate("USD");
                    }))
                    .toList();

            for (Future<Rate> rate : rates) {
                assertThat(rate.get(30, TimeUnit.SECONDS)).isEqualTo(DOLLAR);
            }
            assertThat(requests(application)).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aFailedAttemptIsRepeated() {
        try (var application = start(2, 0, 100, PATIENT)) {
            rates(application).rate("USD");

            assertThat(rates(application).rate("GBP").currency()).isEqualTo("GBP");
            assertThat(requests(application)).isEqualTo(3);
        }
    }

    @Test
    void aHangingAttemptIsRepeated() {
        try (var application = start(0, 2, 100, "3s")) {
            rates(application).rate("USD");

            assertThat(rates(application).rate("GBP").currency()).isEqualTo("GBP");
            assertThat(requests(application)).isEqualTo(3);
        }
    }

    @Test
    void afterTheLastAttemptTheExchangeIsLeftAlone() {
        try (var application = start(1, 0, 100, PATIENT)) {
            Throwable first = catchThrowable(() -> rates(application).rate("USD"));
            Throwable second = catchThrowable(() -> rates(application).rate("USD"));

            assertThat(first).isInstanceOf(HttpServerErrorException.ServiceUnavailable.class);
            assertThat(second).isSameAs(first);
            assertThat(requests(application)).isEqualTo(4);
        }
    }

    @Test
    void anExchangeThatOnlyHangsTimesOut() {
        try (var application = start(0, 1, 100, "2s")) {
            assertThatExceptionOfType(AttemptTimeoutException.class)
                    .isThrownBy(() -> rates(application).rate("USD"));
            assertThat(requests(application)).isEqualTo(4);
        }
    }

    @Test
    void anUnknownCurrencyIsNotAskedForAgain() {
        try (var application = start(0, 0, 100, PATIENT)) {
            assertThatExceptionOfType(HttpClientErrorException.NotFound.class)
                    .isThrownBy(() -> rates(application).rate("XXX"));
            assertThat(requests(application)).isEqualTo(1);
        }
    }

    private static ConfigurableApplicationContext start(int failEvery, int hangEvery, int perSecond, String timeout) {
        return new SpringApplicationBuilder(SharedRates.class)
                .properties(
                        "spring.main.web-application-type=none",
                        "sample.exchange.fail-every=" + failEvery,
                        "sample.exchange.hang-every=" + hangEvery,
                        "sample.exchange.per-second=" + perSecond,
                        "singleflight.operations.exchange-rate.cache-errors-for=1m",
                        "singleflight.operations.exchange-rate.timeout=" + timeout)
                .run();
    }

    private static ExchangeRates rates(ConfigurableApplicationContext application) {
        return application.getBean(ExchangeRates.class);
    }

    private static long requests(ConfigurableApplicationContext application) {
        return application.getBean(UnreliableExchange.class).requests();
    }
}
