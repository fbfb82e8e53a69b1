package io.millrace.expression;

import java.util.HashMap;
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
        // Off: the mode of the service would let Spring compile what is asked often.
        expression = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseRaw(text);
        context.addPropertyAccessor(new MapAccessor());
        SampleFunctions.register(context);
    }

    @Nullable
    Object value(Map<String, ? extends @Nullable Object> record) {
        return expression.getValue((EvaluationContext) context, grouped(record));
    }

    /** Fields such as {@code legs[1].amount} as what their path says: maps in maps, by name or index. */
    private static Map<Object, @Nullable Object> grouped(Map<String, ? extends @Nullable Object> record) {
        Map<Object, @Nullable Object> root = new HashMap<>();
        record.forEach((path, value) -> {
            String[] parts = path.split("]\\.|[.\\[]", -1);
            Map<Object, @Nullable Object> group = root;
            for (int i = 0; i < parts.length - 1; i++) {
                group = inner(group, key(parts[i]));
            }
            group.put(key(parts[parts.length - 1]), value);
        });
        return root;
    }

    private static Object key(String part) {
        return Character.isDigit(part.charAt(0)) ? (Object) Integer.valueOf(part) : part;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // only groups stand where a path goes on
    private static Map<Object, @Nullable Object> inner(Map<Object, @Nullable Object> group, Object key) {
        return (Map<Object, @Nullable Object>) group.computeIfAbsent(key, _ -> new HashMap<Object, Object>());
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
