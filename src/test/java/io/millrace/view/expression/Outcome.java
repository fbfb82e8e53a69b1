package io.millrace.view.expression;

import io.millrace.view.SameContent;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * What an expression has for one record.
 *
 * @param failure kind of the exception, or null
 */
record Outcome(@Nullable Object value, @Nullable String failure) {

    static Outcome of(Supplier<@Nullable Object> value) {
        try {
            return new Outcome(value.get(), null);
        } catch (RuntimeException e) {
            return new Outcome(null, SameContent.kind(e));
        }
    }

    static SpelExpression parse(String text, SpelCompilerMode mode) {
        return (SpelExpression) new SpelExpressionParser(new SpelParserConfiguration(mode, null)).parseExpression(text);
    }

    boolean isValue() {
        return failure == null;
    }

    boolean sameAs(Outcome other) {
        return failure == null
                ? other.failure == null && SameContent.of(value, other.value)
                : failure.equals(other.failure);
    }
}
