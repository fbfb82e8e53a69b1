package io.millrace.store.query;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.Assignment;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Virtual fields of records, computed into additional fields with bytes and names of their own.
 *
 * @param schema of the records with these fields
 * @param setter computes them
 */
record ComputedFields(Schema schema, BatchSetter setter) {

    /**
     * Compiles virtual fields.
     *
     * @param names of virtual fields of the schema, each once
     * @throws io.millrace.expression.error.ExpressionException if one can't be computed, or no field can hold its
     *     values
     */
    static ComputedFields of(Schema schema, List<String> names, FunctionRegistry functions) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema, functions);
        Schema extended = schema;
        List<Assignment> assignments = new ArrayList<>();
        for (String name : names) {
            VirtualField virtual = Objects.requireNonNull(schema.virtualField(name), name);
            Field target = compiler.resultField(target(name), virtual.expression());
            extended = extended.extend(target);
            assignments.add(new Assignment(target, virtual.expression()));
        }
        return new ComputedFields(
                extended,
                new ExpressionCompiler(extended, functions).setter(assignments).loop());
    }

    /**
     * Returns the name of the field that holds a virtual field's value; no field of a schema has a blank in its name.
     */
    static String target(String name) {
        return "computed " + name;
    }

    /**
     * Computes the fields of a batch's records.
     *
     * @throws NoResultException if one has no result
     */
    void compute(RecordBatch batch) {
        setter.apply(batch, (_, _, reason) -> {
            throw new NoResultException(reason.detail());
        });
    }
}
