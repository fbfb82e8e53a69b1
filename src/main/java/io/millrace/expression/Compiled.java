package io.millrace.expression;

import java.util.List;

/**
 * A loop, and what it was made of. Immutable.
 *
 * @param loop what works batches
 * @param codeBytes how long the loop's code is, in bytes
 * @param expressions what each of its expressions became, in the order in which they were given
 */
public record Compiled<T>(T loop, int codeBytes, List<Explanation> expressions) {

    public Compiled {
        expressions = List.copyOf(expressions);
    }
}
