package io.millrace.measure.plan;

import io.millrace.expression.BatchSetter;
import io.millrace.schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * A value of a row.
 *
 * @param field the field of the row
 * @param aggregate the aggregate that is the value, or null if a formula computes it
 * @param formula computes the value from the doubles of the aggregates, or null
 */
record Value(
        Field field,
        @Nullable Aggregate aggregate,
        @Nullable BatchSetter formula) {}
