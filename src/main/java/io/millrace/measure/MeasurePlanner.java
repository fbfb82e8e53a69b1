package io.millrace.measure;

import static io.millrace.schema.ProblemCode.INVALID_MEASURE;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.aggregate.AggregateLayout;
import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.Slot.Operation;
import io.millrace.expression.Assignment;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.Compiled;
import io.millrace.expression.Explanation;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FieldPlace;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.measure.SketchPlan.Kind;
import io.millrace.measure.ValueText.Call;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a measure's definition into a plan: compiles every expression and lays out the slots of a group. Continues
 * after an error, so that it reports all errors. Not thread-safe; used once.
 */
public final class MeasurePlanner {

    private static final Pattern NAMED = Pattern.compile("(?s)(.*\\S)\\s+as\\s+(\\w+)\\s*");
    /** The length of the longest array that every JVM can allocate. */
    private static final int ARRAY_MAX = Integer.MAX_VALUE - 8;

    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final MeasureDefinition definition;
    private final Schema schema;
    private final ExpressionCompiler compiler;
    private final FunctionRegistry functions;
    private final BiConsumer<String, String> problems;
    private final AggregateLayout layout = new AggregateLayout();
    private final List<GroupKey> identities = new ArrayList<>();
    private final List<SketchPlan> sketches = new ArrayList<>();
    private final List<Aggregate> aggregates = new ArrayList<>();
    private final List<MeasureExpression> expressions = new ArrayList<>();
    private final Set<String> names = new HashSet<>(RowLayout.OWN);
    private int codeBytes;

    /**
     * @param schema schema of the records
     * @param functions functions that expressions may call
     * @param problems receives each error: the property, relative to the measure, and the message
     */
    public MeasurePlanner(
            MeasureDefinition definition,
            Schema schema,
            FunctionRegistry functions,
            BiConsumer<String, String> problems) {
        this.definition = definition;
        this.schema = schema;
        this.functions = functions;
        this.compiler = new ExpressionCompiler(schema, functions);
        this.problems = problems;
        if (!definition.alerts().isEmpty()) {
            names.addAll(AlertPlan.OWN);
        }
    }

    /** Returns the plan, or null if an error was reported. */
    public @Nullable MeasurePlan plan() {
        boolean[] failed = {false};
        layout.at(Operation.COUNT);
        Map<GroupKey, Field> keys = new LinkedHashMap<>();
        for (int i = 0; i < definition.by().size(); i++) {
            String by = definition.by().get(i);
            failed[0] |= attempt("by[" + i + "]", () -> key(by, keys)) == null;
        }
        String timeText = definition.time();
        Column time = timeText == null ? null : attempt("time", () -> time(timeText));
        failed[0] |= time == null && timeText != null;
        Map<String, ValueText> texts = new LinkedHashMap<>();
        definition.values().forEach((name, text) -> {
            String property = "values[" + name + "]";
            failed[0] |= attempt(property, () -> claim(name)) == null;
            ValueText parsed = attempt(property, () -> parse(name, text));
            if (parsed == null) {
                failed[0] = true;
            } else {
                texts.put(name, parsed);
            }
        });
        if (definition.values().isEmpty()) {
            problems.accept(
                    "values", MISSING_VALUE.message("Missing values. Add at least one, such as { trades: count() }."));
            return null;
        }
        return failed[0] ? null : plan(keys, time, texts);
    }

    private @Nullable MeasurePlan plan(Map<GroupKey, Field> keys, @Nullable Column time, Map<String, ValueText> texts) {
        List<Field> fields = new ArrayList<>();
        List<String> figures = new ArrayList<>();
        texts.forEach((name, text) -> {
            fields.add(
                    text.plain()
                            ? aggregates.get(figures.size()).field(name)
                            : Field.of(name, Aggregate.REAL, 0).asOptional(Field.defaultNullRaw(Aggregate.REAL)));
            text.calls().forEach(call -> figures.add(call.name()));
        });
        RowLayout rows = RowLayout.of(definition.name(), List.copyOf(keys.values()), figures, fields);
        List<Value> values = new ArrayList<>();
        int figure = 0;
        for (Map.Entry<String, ValueText> value : texts.entrySet()) {
            Field field = rows.field(value.getKey());
            ValueText text = value.getValue();
            if (text.plain()) {
                values.add(new Value(field, aggregates.get(figure), null));
            } else {
                List<Aggregate> of =
                        aggregates.subList(figure, figure + text.calls().size());
                BatchSetter formula = attempt("values[" + field.name() + "]", () -> formula(field, text, of, rows));
                if (formula == null) {
                    return null;
                }
                values.add(new Value(field, null, formula));
            }
            figure += text.calls().size();
        }
        List<RowKey> rowKeys = new ArrayList<>();
        keys.forEach((key, field) -> rowKeys.add(new RowKey(key, rows.field(field.name()))));
        List<AlertPlan> alerts = new ArrayList<>();
        for (AlertDefinition alert : definition.alerts()) {
            AlertPlan plan = alert(alert, rows);
            if (plan == null) {
                return null;
            }
            alerts.add(plan);
        }
        if (!fits(rowKeys, rows)) {
            return null;
        }
        return new MeasurePlan(
                definition,
                schema,
                time,
                rowKeys,
                layout,
                identities,
                sketches,
                aggregates,
                values,
                rows,
                alerts,
                expressions,
                codeBytes);
    }

    /** Returns whether all rows of a window, and each kind of number stored for its groups, fit into an array. */
    private boolean fits(List<RowKey> keys, RowLayout rows) {
        int keyWidth = keys.stream().mapToInt(key -> key.key().longs()).sum();
        int widest = Math.max(rows.row().recordLength(), Math.max(keyWidth, layout.width()));
        int maxGroups = ARRAY_MAX / widest - 1;
        if (definition.groups() > maxGroups) {
            problems.accept(
                    "max-groups",
                    INVALID_NUMBER.message("Invalid number '" + definition.groups() + "'. Use at most " + maxGroups
                            + " with rows of " + rows.row().recordLength() + " bytes."));
            return false;
        }
        return true;
    }

    private GroupKey key(String by, Map<GroupKey, Field> keys) {
        Matcher named = NAMED.matcher(by);
        String expression = named.matches() ? named.group(1) : by.strip();
        String name = named.matches() ? named.group(2) : expression;
        GroupKey key = GroupKey.of(expression, schema, compiler);
        if (!FIELD_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Missing name for '" + by + "'. Write '" + expression + " as NAME'.");
        }
        claim(name);
        keys.put(key, RowKey.field(name, key));
        explain("by", name, expression, key);
        return key;
    }

    private String claim(String name) {
        if (!FIELD_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Invalid name '" + name + "'. Use letters, digits and _ only, not starting with a digit.");
        }
        if (!names.add(name)) {
            boolean own = RowLayout.OWN.contains(name) || AlertPlan.OWN.contains(name);
            throw new IllegalArgumentException(
                    (own ? "Reserved name '" : "Duplicate name '") + name + "'. Use another name.");
        }
        return name;
    }

    private Column time(String text) {
        Column time = Column.optional(text, compiler);
        if (!(time.type() instanceof FieldType.InstantType)) {
            throw new IllegalArgumentException(
                    "Invalid time '" + text + "'. Use a field or an expression of type instant.");
        }
        explain("time", null, time.numbers());
        return time;
    }

    private ValueText parse(String name, String text) {
        ValueText parsed = ValueText.parse(text, aggregates.size());
        parsed.calls().forEach(call -> aggregates.add(aggregate(name, call)));
        return parsed;
    }

    private Aggregate aggregate(String name, Call call) {
        boolean ofAll = call.argument().isEmpty();
        GroupAggregate.Kind kind = Aggregate.kind(call.function());
        if (ofAll && !call.function().equals("count") && !call.function().equals("rate")) {
            throw new IllegalArgumentException("Missing argument in '" + call.text()
                    + "'. Write an expression, such as " + call.function() + "(amount).");
        }
        if (kind != null) {
            int before = layout.columns().size();
            Aggregate of = Aggregate.of(GroupAggregate.ofPresent(kind, call.argument(), call.text(), compiler, layout));
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
        // Compile the condition alone first: its errors then refer to the condition itself.
        compiler.filter(call.argument());
        int before = layout.columns().size();
        int column = layout.column(Column.required("(" + call.argument() + ") ? 1 : 0", compiler));
        explainNew(name, before);
        return layout.at(Operation.COUNT_IF, column);
    }

    private Aggregate distinct(String name, Call call) {
        GroupKey key = GroupKey.of(call.argument(), schema, compiler);
        explain("figure", name, call.argument(), key);
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
        Column column = Column.optional(expression, compiler);
        SketchPlan sketch = new SketchPlan(Kind.QUANTILES, layout.column(column), column.real(), column.scale());
        explainNew(name, before);
        if (!sketches.contains(sketch)) {
            sketches.add(sketch);
        }
        return new Aggregate.Quantile(sketches.indexOf(sketch), rank);
    }

    private static double rank(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private BatchSetter formula(Field field, ValueText text, List<Aggregate> of, RowLayout rows) {
        for (int i = 0; i < of.size(); i++) {
            if (!Aggregate.isNumber(of.get(i).type())) {
                throw new IllegalArgumentException("Invalid value '" + text.text() + "': '"
                        + text.calls().get(i).text() + "' is not a number.");
            }
        }
        try {
            Compiled<BatchSetter> formula = new ExpressionCompiler(rows.formulas(), functions)
                    .setter(List.of(new Assignment(field, text.formula())));
            Explanation became = formula.expressions().getFirst();
            expressions.add(new MeasureExpression(
                    "value",
                    field.name(),
                    new Explanation(
                            text.text(), text.restored(became.form()), became.type(), List.of(), became.constants())));
            codeBytes += formula.codeBytes();
            return formula.loop();
        } catch (ExpressionException e) {
            String message = String.valueOf(e.getMessage());
            // A hint that contains a placeholder of an aggregate does not help the user.
            String withoutHint = e.hint().contains("$") ? message.replace("\n" + e.hint(), "") : message;
            throw new IllegalArgumentException(text.restored(withoutHint), e);
        }
    }

    private @Nullable AlertPlan alert(AlertDefinition alert, RowLayout rows) {
        String property = "alerts[" + alert.name() + "]";
        ExpressionCompiler conditions = new ExpressionCompiler(rows.conditions(), functions);
        Compiled<BatchFilter> when = attempt(property + ".when", () -> conditions.filter(alert.when()));
        String untilText = alert.until();
        Compiled<BatchFilter> until =
                untilText == null ? null : attempt(property + ".until", () -> conditions.filter(untilText));
        if (when == null || (until == null && untilText != null)) {
            return null;
        }
        explainRow("when", alert.name(), when);
        if (until != null) {
            explainRow("until", alert.name(), until);
        }
        return new AlertPlan(
                alert, when.loop(), until == null ? null : until.loop(), AlertPlan.schema(rows.row(), alert.name()));
    }

    /** Adds an explanation without the fields read: conditions read fields of rows, which records need not have. */
    private void explainRow(String role, String target, Compiled<?> condition) {
        Explanation became = condition.expressions().getFirst();
        expressions.add(new MeasureExpression(
                role,
                target,
                new Explanation(became.expression(), became.form(), became.type(), List.of(), became.constants())));
        codeBytes += condition.codeBytes();
    }

    private void explain(String role, String target, String text, GroupKey key) {
        Compiled<?> numbers = key.numbers();
        if (numbers != null) {
            explain(role, target, numbers);
            return;
        }
        FieldPlace place = FieldPlace.of(Objects.requireNonNull(schema.field(text.strip())), schema);
        expressions.add(new MeasureExpression(
                role, target, new Explanation(text, place.name(), place.type(), List.of(place), List.of())));
    }

    private void explain(String role, @Nullable String target, Compiled<?> numbers) {
        expressions.add(
                new MeasureExpression(role, target, numbers.expressions().getFirst()));
        codeBytes += numbers.codeBytes();
    }

    /**
     * Explains the columns added since {@code before}. The earlier ones were explained with the value that first needed
     * them.
     */
    private void explainNew(String name, int before) {
        layout.columns().stream().skip(before).forEach(column -> explain("figure", name, column.numbers()));
    }

    private <T> @Nullable T attempt(String property, Supplier<T> attempt) {
        try {
            return attempt.get();
        } catch (ExpressionException e) {
            // Its message contains a code.
            problems.accept(property, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            problems.accept(property, INVALID_MEASURE.message(String.valueOf(e.getMessage())));
        }
        return null;
    }
}
