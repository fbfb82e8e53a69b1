package io.millrace.expression;

import io.millrace.expression.range.FieldCondition;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A condition in parts: it holds if all tests and the rest hold. Immutable.
 *
 * @param tests all tests of single fields, one for each field, including those that the rest repeats
 * @param whole the complete condition, which evaluates first the tests that the rest leaves out. Compiled at the first
 *     call, since compilation takes milliseconds; that call throws as {@link ExpressionCompiler} does if it is too
 *     large
 * @param reads names of the fields that the complete condition reads
 * @param rest the condition without the tests of the fields that were left out; null if nothing remains
 */
public record SplitCondition(
        List<FieldCondition> tests,
        Supplier<Compiled<BatchFilter>> whole,
        Set<String> reads,
        @Nullable Compiled<BatchFilter> rest) {

    public SplitCondition {
        tests = List.copyOf(tests);
        reads = Set.copyOf(reads);
    }
}
