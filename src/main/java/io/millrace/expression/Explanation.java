package io.millrace.expression;

import java.util.List;

/**
 * What an expression became: read from the very form that its loop was made of. Immutable.
 *
 * @param expression as it was written
 * @param form the typed form as text, as of {@link io.millrace.expression.ir.IrText}; of an assignment with its target
 * @param type of the result, in the words of the typed form
 * @param reads the fields that it reads, each once
 * @param constants those of the typed form, each once
 */
public record Explanation(
        String expression, String form, String type, List<FieldPlace> reads, List<FoldedConstant> constants) {

    public Explanation {
        reads = List.copyOf(reads);
        constants = List.copyOf(constants);
    }
}
