package io.millrace.expression;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A compiled loop and the explanations of its expressions. Immutable.
 *
 * @param loop processes batches
 * @param codeBytes length of the generated code in bytes; a filter may have two loops, of which each batch uses one
 * @param expressions the explanations, in the order in which the expressions were passed
 */
@API(status = API.Status.STABLE)
public record Compiled<T>(T loop, int codeBytes, List<Explanation> expressions) {

    public Compiled {
        expressions = List.copyOf(expressions);
    }

    /** Returns the names of all fields that the expressions read. */
    public Set<String> reads() {
        return expressions.stream()
                .flatMap(explanation -> explanation.reads().stream())
                .map(FieldPlace::name)
                .collect(Collectors.toSet());
    }
}
