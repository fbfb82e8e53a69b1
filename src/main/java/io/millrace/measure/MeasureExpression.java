package io.millrace.measure;

import io.millrace.expression.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * What an expression of a measure became.
 *
 * @param role {@code by}, {@code time}, {@code figure}, {@code value}, {@code when} or {@code until}
 * @param target the field of a row or the alert that it is for, null where there is none
 */
public record MeasureExpression(String role, @Nullable String target, Explanation explanation) {}
