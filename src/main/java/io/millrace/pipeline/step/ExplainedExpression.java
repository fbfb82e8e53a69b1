package io.millrace.pipeline.step;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.expression.Explanation;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a step and its role.
 *
 * @param role {@code filter}, {@code key}, {@code set} or {@code when}; for a measure, a role of
 *     {@link io.millrace.measure.plan.MeasureExpression}; {@code otherwise} and {@code to} accept records without a
 *     condition
 * @param target the field that is set, the row field or alert of a measure, or the configured name of the region or
 *     channel that receives records; null for none
 * @param explanation explanation of the compiled expression; null without a condition
 */
@API(status = API.Status.STABLE)
public record ExplainedExpression(
        String role,
        @Nullable String target,
        @JsonUnwrapped @Nullable Explanation explanation) {}
