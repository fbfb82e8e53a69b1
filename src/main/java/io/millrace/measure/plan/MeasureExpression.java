package io.millrace.measure.plan;

import io.millrace.expression.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a compiled expression of a measure.
 *
 * @param role {@code by}, {@code time}, {@code aggregate}, {@code value}, {@code when} or {@code until}
 * @param target the row field or alert that the expression belongs to, or null for none
 */
public record MeasureExpression(String role, @Nullable String target, Explanation explanation) {}
