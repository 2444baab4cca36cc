package dev.singleflight.spring.autoconfigure;

import dev.singleflight.spring.interceptor.InvalidSingleFlightException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what an annotation or a property got wrong instead of a stack trace. */
final class InvalidSingleFlightFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSingleFlightException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSingleFlightException cause) {
        return new FailureAnalysis(cause.getDescription() + ".", cause.getAction() + ".", cause);
    }
}
