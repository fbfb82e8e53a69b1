package io.millrace.expression.ir;

import io.millrace.schema.Field;

/**
 * An assignment of a value to a field.
 *
 * @param target the field
 * @param value has the target's type, except that a double can be assigned to a decimal
 * @param divisor the number of units of the value in one unit of the target; a remainder rejects the record
 */
public record FieldStore(Field target, Ir value, long divisor) {}
