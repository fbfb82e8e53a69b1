package io.millrace.expression.bytecode;

import java.util.function.Function;

/**
 * A generated and loaded loop over the records of a batch.
 *
 * @param loop an instance of the generated class, or a choice between several
 * @param codeBytes length of the generated code in bytes; for two loops of a filter the sum
 */
public record GeneratedLoop<T>(T loop, int codeBytes) {

    /** Returns the same loop behind another interface. */
    public <U> GeneratedLoop<U> as(Function<T, U> adapter) {
        return new GeneratedLoop<>(adapter.apply(loop), codeBytes);
    }
}
