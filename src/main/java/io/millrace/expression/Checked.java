package io.millrace.expression;

import io.millrace.expression.bytecode.LoopSource;
import io.millrace.expression.check.ExpressionCost;
import io.millrace.expression.check.SuspectComparisons;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.FieldStore;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.IrText;
import io.millrace.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A checked expression: the input of a loop and of its explanation.
 *
 * @param ir the node to compile
 * @param form the text form of {@code ir}, or of the assignment
 * @param step what the loop needs to explain its rejects
 */
record Checked(Ir ir, String form, LoopSource.Step step) {

    Checked(Ir ir, LoopSource.Step step) {
        this(ir, IrText.of(ir), step);
    }

    /** Returns a checked expression of a node that was made from its text. */
    static Checked of(String expression, Ir ir) {
        ExpressionCost.Reads reads = ExpressionCost.reads(ir, new Place(expression, 0));
        return new Checked(ir, new LoopSource.Step(expression, reads.fields(), reads.groups()));
    }

    /** Returns a part of the same expression, which reads only what its node reads. */
    Checked part(Ir node) {
        return of(step.expression(), node);
    }

    /** Returns the same expression, compiled from another node. */
    Checked as(Ir other) {
        return new Checked(other, step);
    }

    /** Returns the same expression as the value of an assignment. */
    Checked into(FieldStore store) {
        return new Checked(store.value(), IrText.of(store), step);
    }

    /** @param schema the schema that the expression was checked against */
    Explanation explanation(Schema schema) {
        return new Explanation(
                step.expression(),
                form,
                ir.type().toString(),
                places(schema),
                FoldedConstants.of(ir),
                SuspectComparisons.of(ir));
    }

    /** Returns the fields and the repeating parts that the expression reads; a bare element is both. */
    private List<FieldPlace> places(Schema schema) {
        Map<String, FieldPlace> places = new LinkedHashMap<>();
        schema.groups().stream()
                .filter(group -> step.groups().contains(group.path()))
                .forEach(group -> places.put(group.path(), FieldPlace.of(group)));
        step.reads().forEach(field -> places.put(field.name(), FieldPlace.of(field, schema)));
        return List.copyOf(places.values());
    }
}
