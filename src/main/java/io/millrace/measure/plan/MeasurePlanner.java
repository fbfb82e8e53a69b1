package io.millrace.measure.plan;

import static io.millrace.schema.ProblemCode.INVALID_MEASURE;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.GroupKeys;
import io.millrace.expression.Assignment;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.Compiled;
import io.millrace.expression.Explanation;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final Explanations explanations;
    private final AggregatePlanner aggregatePlanner;
    /** Aggregates by the name of the value that is computed from them. */
    private final Map<String, List<Aggregate>> aggregates = new HashMap<>();
    /** Number of the aggregates. */
    private int calls;

    private final Set<String> names = new HashSet<>(RowLayout.OWN);

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
        this.explanations = new Explanations(schema);
        this.aggregatePlanner = new AggregatePlanner(schema, compiler, explanations);
        this.problems = problems;
        if (!definition.alerts().isEmpty()) {
            names.addAll(AlertPlan.OWN);
        }
    }

    /** Returns the plan, or null if an error was reported. */
    public @Nullable MeasurePlan plan() {
        boolean[] failed = {false};
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
        List<String> placeholders = new ArrayList<>();
        List<Aggregate> ofFormulas = new ArrayList<>();
        texts.forEach((name, text) -> {
            if (text.plain()) {
                fields.add(aggregates(name).getFirst().field(name));
            } else {
                fields.add(Field.of(name, Aggregate.REAL, 0).asOptional(Field.defaultNullRaw(Aggregate.REAL)));
                text.calls().forEach(call -> placeholders.add(call.name()));
                ofFormulas.addAll(aggregates(name));
            }
        });
        RowLayout rows = RowLayout.of(definition.name(), List.copyOf(keys.values()), placeholders, fields);
        List<Value> values = new ArrayList<>();
        for (Map.Entry<String, ValueText> value : texts.entrySet()) {
            Field field = rows.field(value.getKey());
            ValueText text = value.getValue();
            List<Aggregate> of = aggregates(value.getKey());
            if (text.plain()) {
                values.add(new Value(field, of.getFirst(), null));
            } else {
                BatchSetter formula = attempt("values[" + field.name() + "]", () -> formula(field, text, of, rows));
                if (formula == null) {
                    return null;
                }
                values.add(new Value(field, null, formula));
            }
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
                aggregatePlanner.layout(),
                aggregatePlanner.identities(),
                aggregatePlanner.sketches(),
                ofFormulas,
                values,
                rows,
                alerts,
                explanations.expressions(),
                explanations.codeBytes());
    }

    /** Returns whether all rows of a window, and each kind of number stored for its groups, fit into an array. */
    private boolean fits(List<RowKey> keys, RowLayout rows) {
        int keyWidth = keys.stream().mapToInt(key -> key.key().longs()).sum();
        int widest = Math.max(
                rows.row().recordLength(),
                Math.max(keyWidth, aggregatePlanner.layout().width()));
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
        GroupKey key = GroupKeys.of(expression, schema, compiler);
        if (!FIELD_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Missing name for '" + by + "'. Write '" + expression + " as NAME'.");
        }
        claim(name);
        keys.put(key, RowKey.field(name, key));
        explanations.add("by", name, expression, key);
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
        Column time = Column.of(text, schema, compiler);
        if (!(time.type() instanceof FieldType.InstantType)) {
            throw new IllegalArgumentException(
                    "Invalid time '" + text + "'. Use a field or an expression of type instant.");
        }
        explanations.add("time", null, time.numbers());
        return time;
    }

    private ValueText parse(String name, String text) {
        ValueText parsed = ValueText.parse(text, calls);
        calls += parsed.calls().size();
        aggregates.put(
                name,
                parsed.calls().stream()
                        .map(call -> aggregatePlanner.aggregate(name, call))
                        .toList());
        return parsed;
    }

    private List<Aggregate> aggregates(String name) {
        return Objects.requireNonNull(aggregates.get(name));
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
            explanations.addOfRow("value", field.name(), text.text(), text.restored(became.form()), formula);
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
        explainCondition("when", alert, when);
        if (until != null) {
            explainCondition("until", alert, until);
        }
        return new AlertPlan(
                alert, when.loop(), until == null ? null : until.loop(), AlertPlan.schema(rows.row(), alert.name()));
    }

    private void explainCondition(String role, AlertDefinition alert, Compiled<BatchFilter> condition) {
        Explanation became = condition.expressions().getFirst();
        explanations.addOfRow(role, alert.name(), became.expression(), became.form(), condition);
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
