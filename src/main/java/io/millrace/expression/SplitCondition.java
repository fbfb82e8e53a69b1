package io.millrace.expression;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A condition taken apart: it holds where all tests and the rest hold. Immutable.
 *
 * @param tests of one field each, no two of the same, all of them: also those that the rest asks once more
 * @param whole all of the condition, with the tests that the rest leaves out asked first; compiled when it is first
 *     asked for, since that takes milliseconds, which throws as {@link ExpressionCompiler} does where it is too large
 * @param reads names of the fields that all of the condition reads
 * @param rest the condition without the tests of the fields that were to be left out; null where nothing is left
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
