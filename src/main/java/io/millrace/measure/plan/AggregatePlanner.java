package io.millrace.measure.plan;

import io.millrace.aggregate.AggregateLayout;
import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.GroupKeys;
import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.measure.plan.SketchPlan.Kind;
import io.millrace.measure.plan.ValueText.Call;
import io.millrace.schema.NumberText;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles the calls in the values of a measure, such as {@code sum(amount)}, into aggregates, and lays out the slots
 * of a group. Not thread-safe; used once.
 */
final class AggregatePlanner {

    private final Schema schema;
    private final ExpressionCompiler compiler;
    private final Explanations explanations;
    private final AggregateLayout layout = new AggregateLayout();
    private final List<GroupKey> identities = new ArrayList<>();
    private final List<SketchPlan> sketches = new ArrayList<>();

    /** @param explanations receives an explanation of each compiled expression */
    AggregatePlanner(Schema schema, ExpressionCompiler compiler, Explanations explanations) {
        this.schema = schema;
        this.compiler = compiler;
        this.explanations = explanations;
        layout.at(Operation.COUNT);
    }

    AggregateLayout layout() {
        return layout;
    }

    /** Returns what is counted by {@code distinct}. */
    List<GroupKey> identities() {
        return identities;
    }

    List<SketchPlan> sketches() {
        return sketches;
    }

    /**
     * Compiles a call.
     *
     * @param name of the value that contains it
     * @throws IllegalArgumentException if it is invalid
     */
    Aggregate aggregate(String name, Call call) {
        boolean ofAll = call.argument().isEmpty();
        GroupAggregate.Kind kind = Aggregate.kind(call.function());
        if (ofAll && !call.function().equals("count") && !call.function().equals("rate")) {
            throw new IllegalArgumentException("Missing argument in '" + call.text()
                    + "'. Write an expression, such as " + call.function() + "(amount).");
        }
        if (kind != null) {
            int before = layout.columns().size();
            Aggregate of = aggregate(GroupAggregate.of(kind, call.argument(), call.text(), schema, compiler, layout));
            explainNew(name, before);
            return of;
        }
        return switch (call.function()) {
            case "count" -> new Aggregate.Count(countAt(name, call));
            case "rate" -> new Aggregate.Rate(countAt(name, call));
            case "distinct" -> distinct(name, call);
            default -> quantile(name, call);
        };
    }

    private int countAt(String name, Call call) {
        if (call.argument().isEmpty()) {
            return layout.at(Operation.COUNT);
        }
        int before = layout.columns().size();
        GroupAggregate count =
                GroupAggregate.of(GroupAggregate.Kind.COUNT, call.argument(), call.text(), schema, compiler, layout);
        explainNew(name, before);
        return count.at();
    }

    private Aggregate distinct(String name, Call call) {
        GroupKey key = GroupKeys.of(call.argument(), schema, compiler);
        explanations.add("aggregate", name, call.argument(), key);
        identities.add(key);
        sketches.add(new SketchPlan(Kind.DISTINCT, identities.size() - 1, false, 0));
        return new Aggregate.Distinct(sketches.size() - 1);
    }

    private Aggregate quantile(String name, Call call) {
        int comma = call.argument().lastIndexOf(',');
        double rank = comma < 0
                ? Double.NaN
                : rank(call.argument().substring(comma + 1).strip());
        if (!(rank >= 0 && rank <= 1)) {
            throw new IllegalArgumentException("Invalid arguments in '" + call.text()
                    + "'. Write an expression and a number from 0 to 1: quantile(amount, 0.95).");
        }
        int before = layout.columns().size();
        String expression = call.argument().substring(0, comma);
        if (!Aggregate.isNumber(compiler.resultType(expression))) {
            throw new IllegalArgumentException(
                    "Invalid argument in '" + call.text() + "'. Use an expression with a number.");
        }
        Column column = Column.of(expression, schema, compiler);
        SketchPlan sketch = new SketchPlan(Kind.QUANTILES, layout.column(column), column.real(), column.scale());
        explainNew(name, before);
        if (!sketches.contains(sketch)) {
            sketches.add(sketch);
        }
        return new Aggregate.Quantile(sketches.indexOf(sketch), rank);
    }

    private static double rank(String text) {
        return NumberText.isNumber(text) ? Double.parseDouble(text) : Double.NaN;
    }

    /**
     * Explains the columns added since {@code before}. The earlier ones were explained with the value that first needed
     * them.
     */
    private void explainNew(String name, int before) {
        layout.columns().stream().skip(before).forEach(column -> explanations.add("aggregate", name, column.numbers()));
    }

    /** Returns the aggregate that reads the group's slots. */
    private static Aggregate aggregate(GroupAggregate accumulator) {
        return switch (accumulator.kind()) {
            case COUNT -> new Aggregate.Count(accumulator.at());
            case SUM -> new SumAggregate(accumulator);
            case MIN, MAX -> new ExtremeAggregate(accumulator);
            case AVG -> new MeanAggregate(accumulator);
        };
    }
}
