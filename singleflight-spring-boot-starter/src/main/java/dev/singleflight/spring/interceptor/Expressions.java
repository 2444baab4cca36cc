package dev.singleflight.spring.interceptor;

import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.convert.ConversionService;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.expression.spel.support.StandardTypeLocator;

/** Parses the expressions of annotations. What an expression cannot mean is refused here, before any call. */
final class Expressions {

    private final SpelExpressionParser parser;
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    Expressions(BeanFactory beans) {
        ClassLoader classes =
                beans instanceof ConfigurableBeanFactory configurable ? configurable.getBeanClassLoader() : null;
        this.parser = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.MIXED, classes));
        shared.setBeanResolver(new BeanFactoryResolver(beans));
        shared.setTypeLocator(new StandardTypeLocator(classes));
        ConversionService conversions =
                beans instanceof ConfigurableBeanFactory configurable ? configurable.getConversionService() : null;
        if (conversions != null) {
            shared.setTypeConverter(new StandardTypeConverter(() -> conversions));
        }
        // creates its lists now, before several threads ask for them
        shared.getPropertyAccessors();
        shared.getMethodResolvers();
        shared.getConstructorResolvers();
    }

    /**
     * Parses an expression.
     *
     * @param where annotation and method, for messages
     * @param attribute the attribute that holds it
     * @param text the expression
     * @param positions what the arguments may be called
     * @param withResult whether there is a result to speak of
     */
    CallExpression parse(
            String where, String attribute, String text, Map<String, Integer> positions, boolean withResult) {
        String place = where + ": " + attribute + " = \"" + text + "\"";
        SpelExpression expression;
        try {
            expression = parser.parseRaw(text);
        } catch (ParseException | IllegalStateException unparsable) {
            throw new InvalidSingleFlightException(
                    place + " is not an expression: " + unparsable.getMessage(), "Correct the expression");
        }
        String unknown = unknownVariable(expression.getAST(), positions, withResult);
        if (unknown != null) {
            throw new InvalidSingleFlightException(
                    place + " names " + unknown + ", and no parameter is called so; known are "
                            + known(positions, withResult),
                    "Correct the name; if the name is right, compile the class with -parameters, or write #p0 for the"
                            + " first parameter");
        }
        Integer shadowing = withResult ? positions.get(CallExpression.RESULT) : null;
        if (shadowing != null && names(expression.getAST(), "#" + CallExpression.RESULT)) {
            throw new InvalidSingleFlightException(
                    place + " names #result, which is both the result and a parameter of the method",
                    "Rename the parameter if the result is meant; write #p" + shadowing + " if the parameter is");
        }
        return new CallExpression(place, expression, shared, positions);
    }

    private static @Nullable String unknownVariable(SpelNode node, Map<String, Integer> positions, boolean withResult) {
        if (node instanceof VariableReference || node instanceof FunctionReference) {
            String text = node.toStringAST();
            int end = text.indexOf('(');
            String name = end < 0 ? text.substring(1) : text.substring(1, end);
            boolean known = node instanceof VariableReference
                    && (positions.containsKey(name)
                            || name.equals("root")
                            || name.equals("this")
                            || withResult && name.equals(CallExpression.RESULT));
            if (!known) {
                return "#" + name;
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            String unknown = unknownVariable(node.getChild(i), positions, withResult);
            if (unknown != null) {
                return unknown;
            }
        }
        return null;
    }

    private static boolean names(SpelNode node, String variable) {
        if (node instanceof VariableReference && node.toStringAST().equals(variable)) {
            return true;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (names(node.getChild(i), variable)) {
                return true;
            }
        }
        return false;
    }

    private static String known(Map<String, Integer> positions, boolean withResult) {
        StringBuilder names = new StringBuilder();
        for (String name : new TreeSet<>(positions.keySet())) {
            if (!name.matches("a\\d+")) {
                names.append('#').append(name).append(", ");
            }
        }
        return names + (withResult ? "#result, " : "") + "#root";
    }
}
