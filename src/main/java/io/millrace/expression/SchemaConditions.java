package io.millrace.expression;

import io.millrace.codec.check.ConditionCompiler;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.ConditionChecker;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the constraints of schemas. Their conditions can call the built-in functions only, because a schema is read
 * without an application. Stateless, so safe for use by many threads.
 */
public final class SchemaConditions implements ConditionChecker, ConditionCompiler {

    @Override
    public @Nullable String problem(Schema schema, RecordConstraint constraint) {
        try {
            filter(schema, constraint);
            return null;
        } catch (ExpressionException e) {
            return e.getMessage();
        }
    }

    @Override
    public Condition compile(Schema schema, RecordConstraint constraint) {
        try {
            Compiled<BatchFilter> filter = filter(schema, constraint);
            return new Condition(
                    filter.loop()::apply,
                    filter.reads(),
                    !constraint.each().isEmpty()
                            && new ExpressionCompiler(schema)
                                    .readsOneElement(constraint.each(), constraint.condition()));
        } catch (ExpressionException e) {
            throw new IllegalArgumentException(
                    "Invalid condition of constraint '" + constraint.name() + "' of schema '" + schema.name() + "'. "
                            + e.getMessage(),
                    e);
        }
    }

    private static Compiled<BatchFilter> filter(Schema schema, RecordConstraint constraint) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema);
        return constraint.each().isEmpty()
                ? compiler.filter(constraint.condition())
                : compiler.filterByEach(constraint.each(), constraint.condition());
    }
}
