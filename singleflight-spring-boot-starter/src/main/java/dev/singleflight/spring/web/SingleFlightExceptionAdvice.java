package dev.singleflight.spring.web;

import dev.singleflight.AttemptTimeoutException;
import dev.singleflight.FlightCycleException;
import dev.singleflight.FlightUnavailableException;
import dev.singleflight.OperationFailedException;
import dev.singleflight.TooManyFlightsException;
import dev.singleflight.TooManyWaitersException;
import dev.singleflight.WaitTimeoutException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
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

    private static final Log LOGGER = LogFactory.getLog(SingleFlightExceptionAdvice.class);

    /** Creates the advice. */
    public SingleFlightExceptionAdvice() {}

    /**
     * Spring also asks about exceptions of the application that were caused by one of these. What they mean is the
     * application's to say, by {@code @ResponseStatus} for example, so they go on as they came.
     */
    @ExceptionHandler({
        AttemptTimeoutException.class,
        FlightCycleException.class,
        FlightUnavailableException.class,
        TooManyFlightsException.class,
        TooManyWaitersException.class,
        WaitTimeoutException.class
    })
    ResponseEntity<ProblemDetail> answer(Exception thrown) throws Exception {
        Throwable failure = thrown instanceof OperationFailedException ? thrown.getCause() : thrown;
        ProblemDetail problem = problem(failure);
        if (problem == null) {
            throw thrown;
        }
        if (failure instanceof FlightCycleException) {
            LOGGER.error("A request has failed by a mistake in the program: " + failure.getMessage(), failure);
        }
        return ResponseEntity.of(problem).build();
    }

    private static @Nullable ProblemDetail problem(@Nullable Throwable failure) {
        if (failure instanceof TooManyFlightsException || failure instanceof TooManyWaitersException) {
            return problem(HttpStatus.TOO_MANY_REQUESTS, "Too many callers at once; try again later");
        }
        if (failure instanceof FlightUnavailableException) {
            return problem(HttpStatus.SERVICE_UNAVAILABLE, "The application does not take this work now");
        }
        if (failure instanceof AttemptTimeoutException || failure instanceof WaitTimeoutException) {
            return problem(HttpStatus.GATEWAY_TIMEOUT, "There was no result in time");
        }
        return failure instanceof FlightCycleException
                ? problem(HttpStatus.INTERNAL_SERVER_ERROR, "The work would have waited for itself")
                : null;
    }

    private static ProblemDetail problem(HttpStatus status, String detail) {
        return ProblemDetail.forStatusAndDetail(status, detail);
    }
}
