package dev.singleflight.sample.exchange;

import dev.singleflight.spring.annotation.SingleFlight;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/** What currencies are worth, asked from the exchange as rarely as may be. */
@Component
class ExchangeRates {

    private final RestClient exchange;

    ExchangeRates(UnreliableExchange exchange) {
        this.exchange = RestClient.create(exchange.url());
    }

    /**
     * An attempt that fails or hangs is repeated for all callers together, so that they do not use up the exchange's
     * limit; and when it fails for good, the exchange is left alone for a second. A currency that does not exist will not
     * exist a moment later.
     */
    @SingleFlight(
            operation = "exchange-rate",
            key = "#currency",
            timeout = "1s",
            retries = 3,
            retryDelay = "100ms",
            retryMultiplier = 2,
            retryJitter = 0.5,
            noRetryFor = HttpClientErrorException.NotFound.class,
            cacheFor = "10s",
            cacheErrorsFor = "1s")
    public Rate rate(String currency) {
        Rate rate = exchange.get().uri("/rates/{currency}", currency).retrieve().body(Rate.class);
        if (rate == null) {
            throw new IllegalStateException("The exchange sent nothing for " + currency);
        }
        return rate;
    }
}
