package dev.singleflight.spring.interceptor;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the key of a call is made of its arguments. */
abstract sealed class KeySource {

    abstract Object keyOf(FlightCall call);

    /** Chooses the cheapest way to do what the attribute says; an empty one means the arguments themselves. */
    static KeySource of(
            String text, String where, int parameterCount, Map<String, Integer> positions, Expressions expressions) {
        if (text.isEmpty()) {
            return parameterCount == 1 ? new OnlyArgument() : new AllArguments();
        }
        CallExpression expression = expressions.parse(where, "key", text, positions, false);
        int position = CallExpression.argument(text, positions);
        return position >= 0 ? new NamedArgument(position, expression) : new Evaluated(expression);
    }

    private static Object required(@Nullable Object key, CallExpression expression) {
        if (key == null) {
            throw new IllegalArgumentException(
                    expression.where + " gave null for this call: a key must not be null; give the expression another"
                            + " value for that case, or leave the call out by a condition");
        }
        return key;
    }

    private static final class OnlyArgument extends KeySource {

        @Override
        Object keyOf(FlightCall call) {
            return Keys.of(call.args[0]);
        }
    }

    private static final class AllArguments extends KeySource {

        @Override
        Object keyOf(FlightCall call) {
            return Keys.ofArguments(call.args);
        }
    }

    private static final class NamedArgument extends KeySource {

        private final int position;
        private final CallExpression expression;

        NamedArgument(int position, CallExpression expression) {
            this.position = position;
            this.expression = expression;
        }

        @Override
        Object keyOf(FlightCall call) {
            return Keys.of(required(call.args[position], expression));
        }
    }

    private static final class Evaluated extends KeySource {

        private final CallExpression expression;

        Evaluated(CallExpression expression) {
            this.expression = expression;
        }

        @Override
        Object keyOf(FlightCall call) {
            return Keys.of(required(expression.value(call.root(), null), expression));
        }
    }
}
