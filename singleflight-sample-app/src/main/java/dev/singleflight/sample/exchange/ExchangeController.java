package dev.singleflight.sample.exchange;

import dev.singleflight.AttemptTimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClientException;

@RestController
class ExchangeController {

    private final ExchangeRates rates;

    ExchangeController(ExchangeRates rates) {
        this.rates = rates;
    }

    @GetMapping("/rates/{currency}")
    Rate rate(@PathVariable String currency) {
        return rates.rate(currency);
    }

    @ExceptionHandler
    ProblemDetail unknownCurrency(HttpClientErrorException.NotFound unknown) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "The exchange does not know this currency");
    }

    @ExceptionHandler
    ProblemDetail failed(RestClientException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, "The exchange fails again and again");
    }

    @ExceptionHandler
    ProblemDetail hung(AttemptTimeoutException timeout) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.GATEWAY_TIMEOUT, "The exchange does not answer");
    }
}
