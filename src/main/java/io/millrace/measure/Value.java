package io.millrace.measure;

import io.millrace.expression.BatchSetter;
import io.millrace.schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * A value of each row.
 *
 * @param field of the row that holds it
 * @param aggregate the figure that it is; null where a formula computes it
 * @param formula computes it from the doubles of all figures
 */
record Value(
        Field field,
        @Nullable Aggregate aggregate,
        @Nullable BatchSetter formula) {}
