package io.millrace.expression;

import io.millrace.expression.bytecode.LoopSource;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.IrText;
import io.millrace.expression.ir.Store;
import io.millrace.schema.Schema;

/**
 * A checked expression: what a loop is made of, and what its explanation is read from.
 *
 * @param ir what is compiled
 * @param form its text form
 * @param step what the loop needs to explain its rejects
 */
record Checked(Ir ir, String form, LoopSource.Step step) {

    Checked(Ir ir, LoopSource.Step step) {
        this(ir, IrText.of(ir), step);
    }

    /** The same expression, compiled from another node. */
    Checked as(Ir other) {
        return new Checked(other, step);
    }

    /** The same expression, its value on the way into a field. */
    Checked into(Store store) {
        return new Checked(store.value(), IrText.of(store), step);
    }

    /** @param schema that it was checked against */
    Explanation explanation(Schema schema) {
        return new Explanation(
                step.expression(),
                form,
                ir.type().toString(),
                step.reads().stream().map(field -> FieldPlace.of(field, schema)).toList(),
                FoldedConstants.of(ir));
    }
}
