package io.millrace.pipeline.step;

import io.millrace.expression.FieldPlace;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The explanation of a compiled step.
 *
 * @param name name of the step and of its output channel
 * @param kind kind of the step in the configuration
 * @param codeBytes length of the generated code in bytes: of the loops with all expressions of the step, and for some
 *     filters of a second form; 0 without expressions
 * @param writes fields that the step writes
 * @param constraints what the step requires of values, such as {@code amount: min 0}: a text for each field and each
 *     condition of the schema
 * @param expressions expressions in the order of the configuration
 */
@API(status = API.Status.STABLE)
public record StepExplanation(
        String name,
        String kind,
        int codeBytes,
        List<FieldPlace> writes,
        List<String> constraints,
        List<ExplainedExpression> expressions) {

    public StepExplanation {
        writes = List.copyOf(writes);
        constraints = List.copyOf(constraints);
        expressions = List.copyOf(expressions);
    }

    /** A step without constraints. */
    public StepExplanation(
            String name, String kind, int codeBytes, List<FieldPlace> writes, List<ExplainedExpression> expressions) {
        this(name, kind, codeBytes, writes, List.of(), expressions);
    }
}
