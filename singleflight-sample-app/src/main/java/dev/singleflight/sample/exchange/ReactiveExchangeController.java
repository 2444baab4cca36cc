package dev.singleflight.sample.exchange;

import dev.singleflight.AttemptTimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;

@RestController
class ReactiveExchangeController {

    private final ReactiveExchangeRates rates;

    ReactiveExchangeController(ReactiveExchangeRates rates) {
        this.rates = rates;
    }

    @GetMapping("/reactive/rates/{currency}")
    Mono<Rate> rate(@PathVariable String currency) {
        return rates.rate(currency);
    }

    @ExceptionHandler
    ProblemDetail unknownCurrency(WebClientResponseException.NotFound unknown) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "The exchange does not know this currency");
    }

    @ExceptionHandler
    ProblemDetail failed(WebClientException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, "The exchange fails again and again");
    }

    @ExceptionHandler
    ProblemDetail hung(AttemptTimeoutException timeout) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.GATEWAY_TIMEOUT, "The exchange does not answer");
    }
}
