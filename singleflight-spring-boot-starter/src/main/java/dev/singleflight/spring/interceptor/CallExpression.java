package dev.singleflight.spring.interceptor;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;

/** An expression of an annotation, parsed and checked against the method it stands on. */
final class CallExpression {

    static final String RESULT = "result";

    /** The annotation, the method, the attribute and its text, for messages. */
    final String where;

    private final Expression expression;
    private final EvaluationContext shared;
    private final Map<String, Integer> positions;

    CallExpression(String where, Expression expression, EvaluationContext shared, Map<String, Integer> positions) {
        this.where = where;
        this.expression = expression;
        this.shared = shared;
        this.positions = positions;
    }

    @Nullable
    Object value(CallRoot call, @Nullable Object result) {
        try {
            return expression.getValue(new CallContext(shared, call, positions, result));
        } catch (ExpressionException failed) {
            throw new IllegalStateException(where + " cannot be evaluated: " + failed.getMessage(), failed);
        }
    }

    /** Evaluates a condition, which is not allowed to give null. */
    boolean isTrue(CallRoot call, @Nullable Object result) {
        Object value = value(call, result);
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new IllegalStateException(where + " must give true or false, and gave "
                + (value == null ? "null" : "a " + value.getClass().getName()));
    }

    /** Whether it is nothing but an argument: its position, or -1. */
    static int argument(String expression, Map<String, Integer> positions) {
        String text = expression.strip();
        return text.startsWith("#") ? positions.getOrDefault(text.substring(1), -1) : -1;
    }
}
