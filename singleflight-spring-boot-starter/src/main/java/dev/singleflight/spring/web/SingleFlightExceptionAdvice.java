package dev.singleflight.spring.web;

import dev.singleflight.AttemptTimeoutException;
import dev.singleflight.FlightCycleException;
import dev.singleflight.FlightUnavailableException;
import dev.singleflight.SingleFlightException;
import dev.singleflight.TooManyFlightsException;
import dev.singleflight.TooManyWaitersException;
import dev.singleflight.WaitTimeoutException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers the engine's own exceptions as problem details, in MVC and in WebFlux. Their messages may hold keys where the
 * application exposes those, so none of them is repeated. Any advice of the application comes before this one.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class SingleFlightExceptionAdvice {

    /** Creates the advice. */
    public SingleFlightExceptionAdvice() {}

    @ExceptionHandler({TooManyFlightsException.class, TooManyWaitersException.class})
    ResponseEntity<ProblemDetail> tooMany(SingleFlightException failure) {
        return answer(HttpStatus.TOO_MANY_REQUESTS, "Too many callers at once; try again later");
    }

    @ExceptionHandler(FlightUnavailableException.class)
    ResponseEntity<ProblemDetail> unavailable(FlightUnavailableException failure) {
        return answer(HttpStatus.SERVICE_UNAVAILABLE, "The application does not take this work now");
    }

    @ExceptionHandler({AttemptTimeoutException.class, WaitTimeoutException.class})
    ResponseEntity<ProblemDetail> timeout(SingleFlightException failure) {
        return answer(HttpStatus.GATEWAY_TIMEOUT, "There was no result in time");
    }

    @ExceptionHandler(FlightCycleException.class)
    ResponseEntity<ProblemDetail> cycle(FlightCycleException failure) {
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, "The work would have waited for itself");
    }

    private static ResponseEntity<ProblemDetail> answer(HttpStatus status, String detail) {
        return ResponseEntity.of(ProblemDetail.forStatusAndDetail(status, detail))
                .build();
    }
}
