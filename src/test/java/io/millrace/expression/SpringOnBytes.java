package io.millrace.expression;

import io.millrace.expression.Tally.Event;
import io.millrace.expression.spring.RecordPropertyAccessor;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Spring's SpEL over the bytes of records: interpreted, and from {@link #compile} on Spring's own generated code. */
final class SpringOnBytes {

    /** Accessors serve names; groups and lists of fields are none. */
    private static final Pattern NAME = Pattern.compile("\\w+");

    /**
     * What came of a record.
     *
     * @param value null where there is none, or where it is absent
     * @param failure why there is none
     */
    record Answer(@Nullable Object value, @Nullable Throwable failure) {}

    private final SpelExpression expression;
    private final StandardEvaluationContext context = new StandardEvaluationContext();

    SpringOnBytes(String text, Schema schema) {
        // Off: the mode of the service would let Spring go back from what it compiled without a word.
        expression = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseRaw(text);
        RecordPropertyAccessor.of(schema).forEach(context::addPropertyAccessor);
        SampleFunctions.register(context);
    }

    /** Whether all fields that an expression names can be read. */
    static boolean serves(String text, Schema schema) {
        return schema.fields().stream()
                .map(Field::name)
                .noneMatch(name -> !NAME.matcher(name).matches() && text.contains(name));
    }

    /** Compiles what was asked of some records before, for Spring takes its types from there. */
    Event compile() {
        try {
            return expression.compileExpression() ? Event.SPRING_COMPILED : Event.SPRING_INTERPRETED;
        } catch (SpelEvaluationException e) {
            if (SpringLimits.explainRefusal(expression.getAST(), e)) {
                return Event.SPRING_REFUSED;
            }
            throw new AssertionError("Spring fails to compile " + expression.getExpressionString(), e);
        }
    }

    /** Whether an answer of the generated code is known to be none, or wrong. */
    boolean isBeyond(byte[] record, Answer answer) {
        return SpringLimits.explainAnswer(expression.getAST(), context, record, answer.failure());
    }

    Answer answer(byte[] record) {
        try {
            return new Answer(expression.getValue(context, record), null);
        } catch (RuntimeException e) {
            return new Answer(null, e);
        }
    }
}
