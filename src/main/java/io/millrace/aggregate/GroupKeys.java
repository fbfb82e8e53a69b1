package io.millrace.aggregate;

import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;

/** Compiles the parts of keys. Stateless. */
public final class GroupKeys {

    private GroupKeys() {}

    /**
     * Compiles a part of a key. All NaNs of a field are one value, and so are 0.0 and -0.0.
     *
     * @param text name of a stored field, or an expression with a number, date, instant, name or truth value
     * @throws io.millrace.expression.error.ExpressionException if the expression is invalid
     */
    public static GroupKey of(String text, Schema schema, ExpressionCompiler compiler) {
        Field field = schema.field(text.strip());
        return field == null ? ComputedKey.compile(text, schema, compiler) : new FieldKey(schema, field);
    }
}
