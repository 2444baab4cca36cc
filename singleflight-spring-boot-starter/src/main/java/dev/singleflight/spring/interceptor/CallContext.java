package dev.singleflight.spring.interceptor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/** One evaluation of an expression: the call's arguments as variables, and everything else as for all calls. */
final class CallContext implements EvaluationContext {

    private final EvaluationContext shared;
    private final CallRoot call;
    private final Map<String, Integer> positions;
    private final @Nullable Object result;

    CallContext(EvaluationContext shared, CallRoot call, Map<String, Integer> positions, @Nullable Object result) {
        this.shared = shared;
        this.call = call;
        this.positions = positions;
        this.result = result;
    }

    @Override
    public TypedValue getRootObject() {
        return new TypedValue(call);
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        Integer position = positions.get(name);
        if (position != null) {
            return call.args()[position];
        }
        return name.equals(CallExpression.RESULT) ? result : null;
    }

    @Override
    public void setVariable(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("Expressions of annotations have no variables of their own");
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return shared.getPropertyAccessors();
    }

    @Override
    public List<IndexAccessor> getIndexAccessors() {
        return shared.getIndexAccessors();
    }

    @Override
    public List<ConstructorResolver> getConstructorResolvers() {
        return shared.getConstructorResolvers();
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return shared.getMethodResolvers();
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return shared.getBeanResolver();
    }

    @Override
    public TypeLocator getTypeLocator() {
        return shared.getTypeLocator();
    }

    @Override
    public TypeConverter getTypeConverter() {
        return shared.getTypeConverter();
    }

    @Override
    public TypeComparator getTypeComparator() {
        return shared.getTypeComparator();
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return shared.getOperatorOverloader();
    }
}
