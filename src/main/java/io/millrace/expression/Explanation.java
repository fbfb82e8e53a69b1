package io.millrace.expression;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Describes what an expression was compiled to, read from the typed form that its loop was generated from. Immutable.
 *
 * @param expression the source text
 * @param form the typed form as text, see {@link io.millrace.expression.ir.IrText}; of an assignment with its target
 * @param type the type of the result, as the typed form writes it
 * @param reads the fields that the expression reads, without duplicates
 * @param constants the constants of the typed form, without duplicates
 * @param warnings a sentence for each comparison that is valid, but probably a mistake
 */
@API(status = API.Status.STABLE)
public record Explanation(
        String expression,
        String form,
        String type,
        List<FieldPlace> reads,
        List<FoldedConstant> constants,
        List<String> warnings) {

    public Explanation {
        reads = List.copyOf(reads);
        constants = List.copyOf(constants);
        warnings = List.copyOf(warnings);
    }

    /** Returns the explanation as documents show it: with groups instead of bytes that say whether they are there. */
    @API(status = API.Status.INTERNAL)
    public Explanation shown() {
        return new Explanation(
                expression, form, type, reads.stream().map(FieldPlace::shown).toList(), constants, warnings);
    }
}
