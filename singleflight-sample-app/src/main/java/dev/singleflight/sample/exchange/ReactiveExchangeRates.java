package dev.singleflight.sample.exchange;

import dev.singleflight.spring.annotation.SingleFlight;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;

/** The same rates for reactive callers: a flight starts with the first subscriber, and no thread waits for its end. */
@Component
class ReactiveExchangeRates {

    private final WebClient exchange;

    ReactiveExchangeRates(UnreliableExchange exchange) {
        this.exchange = WebClient.builder()
                .clientConnector(new JdkClientHttpConnector())
                .baseUrl(exchange.url())
                .build();
    }

    @SingleFlight(
            operation = "reactive-exchange-rate",
            key = "#currency",
            timeout = "1s",
            retries = 3,
            retryDelay = "100ms",
            retryMultiplier = 2,
            retryJitter = 0.5,
            noRetryFor = WebClientResponseException.NotFound.class,
            cacheFor = "10s",
            cacheErrorsFor = "1s")
    public Mono<Rate> rate(String currency) {
        return exchange.get().uri("/rates/{currency}", currency).retrieve().bodyToMono(Rate.class);
    }
}
