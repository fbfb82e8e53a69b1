package io.millrace.pipeline.step.enrich;

import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;
import static io.millrace.schema.ProblemCode.TYPE_MISMATCH;
import static io.millrace.schema.ProblemCode.UNKNOWN_FIELD;
import static io.millrace.schema.ProblemCode.UNKNOWN_TABLE;

import io.millrace.codec.FieldValueException;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.BatchTexts;
import io.millrace.expression.Compiled;
import io.millrace.expression.FieldPlace;
import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.enrich.RowFinder.NumberKeys;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import io.millrace.table.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a step that adds fields from a table.
 *
 * @param table name of the table
 * @param key expression for the key of the row
 * @param add new fields, each with the field of the table that it is copied from
 * @param onMiss action if the table has no row with the key
 * @param defaults values of new fields with on-miss: default; fields without one are absent
 */
public record EnrichDefinition(
        @DefaultValue("") String table,
        @DefaultValue("") String key,
        @DefaultValue Map<String, String> add,
        @DefaultValue("absent") OnMiss onMiss,
        @DefaultValue Map<String, String> defaults)
        implements StepDefinition {

    private static final String KIND = "enrich";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void validate(PropertyCheck check) {
        if (table.isBlank()) {
            check.problem(MISSING_VALUE, "table", "Missing value: the name of a table.");
        }
        if (key.isBlank()) {
            check.problem(MISSING_VALUE, "key", "Missing value: an expression for the key of the table's row.");
        }
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        Optional<Table> found = context.tables().get(table);
        if (found == null) {
            context.check()
                    .problem(
                            UNKNOWN_TABLE,
                            "table",
                            "Unknown table '" + table + "'"
                                    + NearestName.hint(table, context.tables().keySet())
                                    + " Tables are defined under 'millrace.tables'.");
            return null;
        }
        return found.map(rows -> plan(context, rows)).orElse(null);
    }

    private @Nullable StepPlan plan(PlanContext context, Table rows) {
        Compiled<?> keys = keys(context, rows);
        boolean unsigned = keys != null && context.compiler().isUnsigned(key);
        if (add.isEmpty()) {
            context.check().problem(MISSING_VALUE, "add", "Missing value: the fields to add, such as { desk: name }.");
        }
        List<Copy> copies = new ArrayList<>();
        List<FieldPlace> places = new ArrayList<>();
        add.forEach((added, source) -> {
            String property = "add[" + added + "]";
            Field field = rows.schema().field(source);
            if (field == null) {
                context.check()
                        .problem(
                                UNKNOWN_FIELD,
                                property,
                                "Unknown field '" + source + "' in table '" + rows.name() + "'"
                                        + NearestName.hint(source, rows.schema().names()));
            } else if (context.canAdd(property, added)) {
                AddedField addedField = AddedField.of(added, field, onMiss, defaults.get(added));
                FieldPlace place = context.place(context.add(addedField.field()));
                places.add(place);
                copies.add(addedField.copy(place.offset(), valueOnMiss(addedField, context)));
            }
        });
        requireDefaults(context);
        if (keys == null) {
            return null;
        }
        Function<TableReader, RowFinder> finder = finder(keys, unsigned, rows);
        return new StepPlan(
                new StepExplanation(
                        context.name(),
                        KIND,
                        keys.codeBytes(),
                        places,
                        List.of(new ExplainedExpression(
                                "key", null, keys.expressions().getFirst()))),
                run -> new EnrichStep(
                        context.name(),
                        rows.name(),
                        finder.apply(run.tables().reader(rows, add.values())),
                        copies,
                        onMiss,
                        run.rejects()));
    }

    private @Nullable Compiled<?> keys(PlanContext context, Table rows) {
        return context.compile("key", compiler -> {
            if (rows.key().type() instanceof FieldType.StringType type) {
                return compiler.textKeys(key, type);
            }
            requireSameKind(context, rows, compiler.resultType(key));
            return compiler.bitKeys(key);
        });
    }

    private static Function<TableReader, RowFinder> finder(Compiled<?> keys, boolean unsigned, Table rows) {
        boolean unsignedTable = rows.key().type() instanceof FieldType.Numbered numbered
                && numbered.storage().unsignedLong();
        return keys.loop() instanceof BatchTexts texts
                ? reader -> RowFinder.byText(
                        texts, (FieldType.StringType) rows.key().type(), reader)
                : reader -> RowFinder.byNumber((BatchKeys) keys.loop(), NumberKeys.of(unsigned, unsignedTable), reader);
    }

    private static byte[] valueOnMiss(AddedField added, PlanContext context) {
        try {
            return added.otherwise();
        } catch (FieldValueException e) {
            context.check()
                    .problem(INVALID_VALUE, "defaults[" + added.field().name() + "]", String.valueOf(e.getMessage()));
            return new byte[0];
        }
    }

    private void requireDefaults(PlanContext context) {
        defaults.keySet().forEach(name -> {
            if (!add.containsKey(name)) {
                context.check()
                        .problem(
                                UNKNOWN_FIELD,
                                "defaults[" + name + "]",
                                "Field '" + name + "' is not added by this step"
                                        + NearestName.hint(name, add.keySet()));
            }
        });
        if (!defaults.isEmpty() && onMiss != OnMiss.DEFAULT) {
            context.check()
                    .problem(
                            NO_EFFECT,
                            "defaults",
                            "'defaults' has no effect without 'on-miss: default'. Add that, or remove 'defaults'.");
        }
    }

    /**
     * Reports a key whose type differs from the table's key. Codes of an enum are comparable only if record and table
     * have the same dictionary.
     */
    private static void requireSameKind(PlanContext context, Table table, FieldType key) {
        FieldType tableKey = table.key().type();
        boolean same = switch (tableKey) {
            case FieldType.EnumType named ->
                key instanceof FieldType.EnumType other && other.dictionary().equals(named.dictionary());
            case FieldType.IntegerType ignored -> key instanceof FieldType.IntegerType;
            default -> key.equals(tableKey);
        };
        if (!same) {
            context.check()
                    .problem(
                            TYPE_MISMATCH,
                            "key",
                            "Type mismatch: the expression has type " + key.describe() + ", the key of table '"
                                    + table.name() + "' has type " + tableKey.describe() + ".");
        }
    }

    @Override
    public List<String> rule(Schema records) {
        List<String> rule = new ArrayList<>(List.of(KIND, table, key, onMiss.name(), Integer.toString(add.size())));
        add.forEach((field, source) -> rule.addAll(List.of(field, source)));
        defaults.forEach((field, value) -> rule.addAll(List.of(field, value)));
        return rule;
    }
}
