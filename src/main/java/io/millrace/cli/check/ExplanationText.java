package io.millrace.cli.check;

import io.millrace.expression.Explanation;
import io.millrace.expression.FieldPlace;
import io.millrace.expression.FoldedConstant;
import io.millrace.pipeline.definition.PipelineExplanation;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.StepExplanation;
import java.util.ArrayList;
import java.util.List;

/** Formats explanations for a terminal: a block for each expression, in aligned columns. */
final class ExplanationText {

    private static final int FORM_COLUMNS = 100;
    private static final int CONSTANTS_MAX = 16;

    private final List<String> lines = new ArrayList<>();

    private ExplanationText() {}

    static String of(PipelineExplanation pipeline) {
        ExplanationText text = new ExplanationText();
        text.lines.add("%s: records of schema %s, %s, and %s added"
                .formatted(
                        pipeline.name(),
                        pipeline.schema(),
                        bytes(pipeline.recordBytes()),
                        bytes(pipeline.addedBytes())));
        text.rows("source", List.of(pipeline.source()));
        pipeline.steps().forEach(text::step);
        return String.join(System.lineSeparator(), text.lines);
    }

    private void step(StepExplanation step) {
        lines.add("");
        lines.add(step.name() + (step.codeBytes() == 0 ? "" : ": " + bytes(step.codeBytes()) + " of code"));
        rows("writes", places(step.writes()));
        rows("checks", step.constraints());
        boolean first = step.writes().isEmpty() && step.constraints().isEmpty();
        for (ExplainedExpression expression : step.expressions()) {
            if (!first) {
                lines.add("");
            }
            first = false;
            expression(expression);
        }
    }

    private void expression(ExplainedExpression expression) {
        String target = expression.target() == null ? "" : expression.target();
        Explanation explanation = expression.explanation();
        if (explanation == null) {
            rows(expression.role(), List.of(target));
            return;
        }
        boolean assigned = expression.role().equals("set");
        String written = (assigned ? target + " = " : "") + explanation.expression();
        rows(expression.role(), written.strip().lines().map(String::strip).toList());
        if (!assigned && !target.isEmpty()) {
            rows("to", List.of(target));
        }
        rows("form", FormLayout.lines(explanation.form(), FORM_COLUMNS));
        rows("type", List.of(explanation.type()));
        rows("reads", places(explanation.reads()));
        rows("constants", constants(explanation.constants()));
        rows("warnings", explanation.warnings());
    }

    private void rows(String label, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            lines.add("  %-11s%s".formatted(i == 0 ? label : "", values.get(i)).stripTrailing());
        }
    }

    private static List<String> places(List<FieldPlace> places) {
        return aligned(places.stream()
                .map(FieldPlace::shown)
                .map(place -> List.of(
                        place.name(),
                        place.type(),
                        bytes(place.bytes()),
                        where(place),
                        place.optional() ? "optional" : ""))
                .toList());
    }

    private static String where(FieldPlace place) {
        if (place.element() != null) {
            return "element " + place.element() + ", at " + place.offset() + " of the row";
        }
        return (place.added() ? "added at " : "at ") + place.offset();
    }

    /** Returns lines for the constants whose text in the form differs from their meaning. */
    private static List<String> constants(List<FoldedConstant> constants) {
        List<List<String>> rows = constants.stream()
                .filter(constant -> !constant.raw().equals(constant.meaning()))
                .map(constant -> List.of(constant.type() + ":" + constant.raw(), constant.meaning()))
                .toList();
        List<String> shown = aligned(rows.subList(0, Math.min(rows.size(), CONSTANTS_MAX)));
        if (rows.size() > CONSTANTS_MAX) {
            shown.add("and " + (rows.size() - CONSTANTS_MAX) + " more");
        }
        return shown;
    }

    /** Formats rows of the same number of cells. Each column is as wide as its longest cell. */
    private static List<String> aligned(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width = rows.stream()
                        .mapToInt(other -> other.get(at).length())
                        .max()
                        .orElse(0);
                line.append(("%-" + Math.max(1, width) + "s  ").formatted(row.get(column)));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static String bytes(int count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }
}
