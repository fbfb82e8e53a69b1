package io.millrace.expression;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A loop, and what it was made of. Immutable.
 *
 * @param loop what works batches
 * @param codeBytes how long the generated code is, in bytes; a filter may have two loops, of which each batch picks one
 * @param expressions what each of its expressions became, in the order in which they were given
 */
public record Compiled<T>(T loop, int codeBytes, List<Explanation> expressions) {

    public Compiled {
        expressions = List.copyOf(expressions);
    }

    /** Names of all fields that its expressions read. */
    public Set<String> reads() {
        return expressions.stream()
                .flatMap(explanation -> explanation.reads().stream())
                .map(FieldPlace::name)
                .collect(Collectors.toSet());
    }
}
