package io.millrace.expression;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Spring's own interpreter over decoded records: what an expression means. */
final class StockSpel {

    private final Expression expression;
    private final StandardEvaluationContext context = new StandardEvaluationContext();

    StockSpel(String text) {
        // Off: spring.properties would let Spring compile what is asked often.
        expression = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseRaw(text);
        context.addPropertyAccessor(new MapAccessor());
    }

    @Nullable
    Object value(Map<String, ? extends @Nullable Object> record) {
        return expression.getValue((EvaluationContext) context, record);
    }

    /** The answer for a record, or null where there is none. */
    @Nullable
    Boolean answer(Map<String, ? extends @Nullable Object> record) {
        try {
            return (Boolean) value(record);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The text for a record, or null where there is none. */
    @Nullable
    String text(Map<String, ? extends @Nullable Object> record) {
        try {
            return (String) value(record);
        } catch (RuntimeException e) {
            return null;
        }
    }
}
