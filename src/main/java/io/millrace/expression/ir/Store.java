package io.millrace.expression.ir;

import io.millrace.schema.Field;

/**
 * A value on its way into a field.
 *
 * @param target where it goes
 * @param value of the target's type, except that a double may go to a decimal
 * @param divisor how many units of the value make one of the target; what is left over rejects the record
 */
public record Store(Field target, Ir value, long divisor) {}
