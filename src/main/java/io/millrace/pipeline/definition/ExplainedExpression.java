package io.millrace.pipeline.definition;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.expression.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * One expression of a step, with what it is there for.
 *
 * @param role {@code filter}, {@code key}, {@code set} or {@code when}; of a measure those of a
 *     {@link io.millrace.measure.MeasureExpression}; {@code otherwise} and {@code to} take records without asking
 * @param target the field that is set, the field of a measure's rows or its alert, or the region or channel that
 *     records go to, as configuration names it; null where there is none
 * @param explanation what it became; null where nothing is asked
 */
public record ExplainedExpression(
        String role,
        @Nullable String target,
        @JsonUnwrapped @Nullable Explanation explanation) {}
