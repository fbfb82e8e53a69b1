package io.millrace.pipeline.definition;

import io.millrace.codec.FieldValueException;
import io.millrace.expression.Assignment;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.BatchTexts;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FieldPlace;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.measure.AlertDefinition;
import io.millrace.measure.MeasureDefinition;
import io.millrace.measure.MeasurePlan;
import io.millrace.measure.MeasurePlanner;
import io.millrace.pipeline.definition.StepDefinition.BranchDefinition;
import io.millrace.pipeline.definition.StepDefinition.EnrichDefinition;
import io.millrace.pipeline.definition.StepDefinition.FilterDefinition;
import io.millrace.pipeline.definition.StepDefinition.MeasureStepDefinition;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import io.millrace.pipeline.definition.StepDefinition.RouteDefinition;
import io.millrace.pipeline.definition.StepDefinition.SetDefinition;
import io.millrace.pipeline.definition.StepDefinition.ToDefinition;
import io.millrace.pipeline.definition.StepDefinition.UnreadableDefinition;
import io.millrace.pipeline.definition.StepPlan.Copy;
import io.millrace.pipeline.definition.StepPlan.RowKeys;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a pipeline's definition into a plan: extends the schema step by step, because each step reads the fields
 * that earlier steps added, and compiles every expression. Continues after an error, so that it reports all errors.
 *
 * <p>Not thread-safe; used once.
 */
public final class PipelinePlanner {

    /** A router without conditions, which leaves all records to "otherwise". */
    private static final Compiled<BatchRouter> TAKES_NONE = new Compiled<>(
            (batch, branches, rejects) -> Arrays.fill(branches, 0, batch.selected(), BatchRouter.NONE), 0, List.of());

    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final PipelineDefinition definition;
    private final Map<String, Optional<Table>> tables;
    private final Set<String> regions;
    private final FunctionRegistry functions;
    private final Consumer<Problem> problems;
    private final List<StepPlan> steps = new ArrayList<>();
    private Schema schema;

    /**
     * @param definition the definition to compile
     * @param feedSchema schema of the feed's records
     * @param tables tables by name; empty for a table that could not be loaded, which has been reported
     * @param regions names of all regions that a target can have
     * @param functions functions that expressions may call
     * @param problems receives each error
     */
    public PipelinePlanner(
            PipelineDefinition definition,
            Schema feedSchema,
            Map<String, Optional<Table>> tables,
            Set<String> regions,
            FunctionRegistry functions,
            Consumer<Problem> problems) {
        this.definition = definition;
        this.schema = feedSchema;
        this.tables = tables;
        this.regions = regions;
        this.functions = functions;
        this.problems = problems;
    }

    /** Returns the plan. It must not be used if an error was reported. */
    public PipelinePlan plan() {
        List<StepDefinition> definitions = definition.steps();
        for (int i = 0; i < definitions.size(); i++) {
            StepDefinition step = definitions.get(i);
            boolean last = i == definitions.size() - 1;
            if (step instanceof UnreadableDefinition) {
                continue;
            }
            if (last != (step instanceof RouteDefinition || step instanceof ToDefinition)) {
                problem(
                        i,
                        step.kind(),
                        last
                                ? "The last step has no target. End the steps with 'route' or 'to'."
                                : "Steps after this one get no records. Move it to the end.");
            }
            plan(i, step);
        }
        if (definitions.isEmpty()) {
            problems.accept(
                    new Problem(property() + ".steps", "Missing steps. Add at least 'to' with the name of a region."));
        }
        return new PipelinePlan(definition, schema, steps);
    }

    private void plan(int index, StepDefinition step) {
        String name = definition.stepName(index);
        StepPlan plan = switch (step) {
            case FilterDefinition(String condition) -> {
                var filter = compile(index, "filter", () -> compiler().filter(condition));
                yield filter == null
                        ? null
                        : new StepPlan.FilterPlan(StepExplanation.filter(name, filter), filter.loop());
            }
            case EnrichDefinition enrich -> enrich(index, name, enrich);
            case SetDefinition set -> set(index, name, set);
            case MeasureStepDefinition(MeasureDefinition measure) -> measure(index, name, measure);
            case RouteDefinition route -> route(index, name, route);
            case UnreadableDefinition ignored -> null;
            case ToDefinition(String target) ->
                new StepPlan.RoutePlan(
                        StepExplanation.to(name, target),
                        TAKES_NONE.loop(),
                        List.of(target(index, "to", target)),
                        true);
        };
        if (plan != null) {
            steps.add(plan);
        }
    }

    private ExpressionCompiler compiler() {
        return new ExpressionCompiler(schema, functions);
    }

    private @Nullable StepPlan enrich(int index, String name, EnrichDefinition enrich) {
        Optional<Table> found = tables.get(enrich.table());
        if (found == null) {
            problem(
                    index,
                    "enrich.table",
                    "Unknown table '" + enrich.table() + "'" + NearestName.hint(enrich.table(), tables.keySet())
                            + " Tables are defined under 'millrace.tables'.");
            return null;
        }
        return found.map(table -> enrich(index, name, enrich, table)).orElse(null);
    }

    private @Nullable StepPlan enrich(int index, String name, EnrichDefinition enrich, Table table) {
        Compiled<?> key = key(index, enrich, table);
        if (enrich.add().isEmpty()) {
            problem(index, "enrich.add", "Missing value: the fields to add, such as { desk: name }.");
        }
        List<Copy> copies = new ArrayList<>();
        List<FieldPlace> places = new ArrayList<>();
        enrich.add().forEach((added, source) -> {
            String property = "enrich.add[" + added + "]";
            Field field = table.schema().field(source);
            if (field == null) {
                problem(
                        index,
                        property,
                        "Unknown field '" + source + "' in table '" + table.name() + "'"
                                + NearestName.hint(source, table.schema().names()));
            } else if (canAdd(index, property, added)) {
                AddedField add = AddedField.of(added, field, enrich);
                schema = schema.extend(add.field());
                FieldPlace place = FieldPlace.of(Objects.requireNonNull(schema.field(added)), schema);
                places.add(place);
                copies.add(add.copy(place.offset(), valueOnMiss(index, add)));
            }
        });
        requireDefaults(index, enrich);
        return key == null
                ? null
                : new StepPlan.EnrichPlan(
                        StepExplanation.enrich(name, key, places), table, rowKeys(key, table), copies, enrich.onMiss());
    }

    private @Nullable Compiled<?> key(int index, EnrichDefinition enrich, Table table) {
        return compile(index, "enrich.key", () -> {
            if (table.key().type() instanceof FieldType.StringType type) {
                return compiler().textKeys(enrich.key(), type);
            }
            requireSameKind(index, table, compiler().resultType(enrich.key()));
            return compiler().keys(enrich.key());
        });
    }

    private static RowKeys rowKeys(Compiled<?> key, Table table) {
        return key.loop() instanceof BatchTexts texts
                ? new StepPlan.TextKeys(
                        texts, (FieldType.StringType) table.key().type())
                : new StepPlan.NumberKeys((BatchKeys) key.loop());
    }

    private byte[] valueOnMiss(int index, AddedField add) {
        try {
            return add.otherwise();
        } catch (FieldValueException e) {
            problem(index, "enrich.defaults[" + add.field().name() + "]", String.valueOf(e.getMessage()));
            return new byte[0];
        }
    }

    private void requireDefaults(int index, EnrichDefinition enrich) {
        enrich.defaults().keySet().forEach(name -> {
            if (!enrich.add().containsKey(name)) {
                problem(
                        index,
                        "enrich.defaults[" + name + "]",
                        "Field '" + name + "' is not added by this step"
                                + NearestName.hint(name, enrich.add().keySet()));
            }
        });
        if (!enrich.defaults().isEmpty() && enrich.onMiss() != OnMiss.DEFAULT) {
            problem(
                    index,
                    "enrich.defaults",
                    "'defaults' has no effect without 'on-miss: default'. Add that, or remove 'defaults'.");
        }
    }

    /**
     * Reports a key whose type differs from the table's key. Codes of an enum are comparable only if record and table
     * have the same dictionary.
     */
    private void requireSameKind(int index, Table table, FieldType key) {
        FieldType tableKey = table.key().type();
        boolean same = switch (tableKey) {
            case FieldType.EnumType named ->
                key instanceof FieldType.EnumType other && other.dictionary().equals(named.dictionary());
            case FieldType.IntegerType ignored -> key instanceof FieldType.IntegerType;
            default -> key.equals(tableKey);
        };
        if (!same) {
            problem(
                    index,
                    "enrich.key",
                    "Type mismatch: the expression has type " + key.describe() + ", the key of table '" + table.name()
                            + "' has type " + tableKey.describe() + ".");
        }
    }

    private @Nullable StepPlan set(int index, String name, SetDefinition set) {
        List<Assignment> assignments = new ArrayList<>();
        boolean[] failed = {false};
        set.expressions().forEach((target, expression) -> {
            String property = "set[" + target + "]";
            Field result = compile(index, property, () -> compiler().resultField(target, expression));
            Field existing = schema.field(target);
            if (result == null) {
                failed[0] = true;
            } else if (existing == null && canAdd(index, property, target)) {
                schema = schema.extend(result);
                existing = schema.field(target);
            }
            if (existing != null) {
                Assignment assignment = new Assignment(existing, expression);
                if (result != null && compile(index, property, () -> compiler().setter(List.of(assignment))) != null) {
                    assignments.add(assignment);
                }
            }
        });
        if (set.expressions().isEmpty()) {
            problem(index, "set", "Missing value: the fields to set, each with an expression.");
        }
        if (failed[0] || assignments.size() < set.expressions().size()) {
            return null;
        }
        Compiled<BatchSetter> setter = compiler().setter(assignments);
        return new StepPlan.SetPlan(StepExplanation.set(name, setter, places(assignments)), setter.loop());
    }

    private @Nullable StepPlan measure(int index, String name, MeasureDefinition measure) {
        if (measure.region() != null) {
            target(index, "measure.region", measure.region());
        }
        for (AlertDefinition alert : measure.alerts()) {
            if (alert.region() != null) {
                target(index, "measure.alerts[" + alert.name() + "].region", alert.region());
            }
        }
        MeasurePlan plan = new MeasurePlanner(
                        measure,
                        schema,
                        functions,
                        (property, message) -> problem(index, "measure." + property, message))
                .plan();
        return plan == null ? null : new StepPlan.MeasureStepPlan(StepExplanation.measure(name, plan), plan);
    }

    private List<FieldPlace> places(List<Assignment> assignments) {
        return assignments.stream()
                .map(assignment -> FieldPlace.of(assignment.target(), schema))
                .toList();
    }

    private boolean canAdd(int index, String property, String name) {
        if (!FIELD_NAME.matcher(name).matches()) {
            problem(
                    index,
                    property,
                    "Invalid field name '" + name + "'. Use letters, digits and _ only, not starting with a digit.");
            return false;
        }
        if (schema.names().contains(name)) {
            problem(index, property, "Duplicate field '" + name + "'. Use the name of a new field.");
            return false;
        }
        return true;
    }

    private @Nullable StepPlan route(int index, String name, RouteDefinition route) {
        List<BranchDefinition> branches = route.branches();
        List<String> conditions = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        boolean compiled = true;
        boolean hasOtherwise = false;
        for (int i = 0; i < branches.size(); i++) {
            BranchDefinition branch = branches.get(i);
            String property = "route[" + i + "]";
            targets.add(target(index, property + (branch.condition() == null ? ".otherwise" : ".to"), branch.target()));
            String condition = branch.condition();
            if (condition != null) {
                conditions.add(condition);
                compiled &= compile(index, property + ".when", () -> compiler().filter(condition)) != null;
            } else if (i < branches.size() - 1) {
                problem(
                        index,
                        property + ".otherwise",
                        "Branches after 'otherwise' get no records. Move 'otherwise' to the end.");
            } else {
                hasOtherwise = true;
            }
        }
        if (branches.isEmpty()) {
            problem(index, "route", "Missing branches. Add at least one, such as { otherwise: REGION }.");
        }
        if (!compiled) {
            return null;
        }
        Compiled<BatchRouter> router =
                conditions.isEmpty() ? TAKES_NONE : compiler().router(conditions);
        return new StepPlan.RoutePlan(
                StepExplanation.route(name, router, branches), router.loop(), targets, hasOtherwise);
    }

    private Target target(int index, String property, String text) {
        Target target = Target.parse(text);
        if (target instanceof Target.RegionTarget(String region) && !regions.contains(region)) {
            problem(
                    index,
                    property,
                    "Unknown region '" + region + "'" + NearestName.hint(region, regions)
                            + " Regions are defined under 'millrace.regions'. For a message channel, write 'channel:"
                            + region + "'.");
        }
        return target;
    }

    private <T> @Nullable T compile(int index, String property, Supplier<T> compilation) {
        try {
            return compilation.get();
        } catch (ExpressionException e) {
            problem(index, property, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private String property() {
        return "millrace.pipelines." + definition.name();
    }

    private void problem(int index, String property, String message) {
        problems.accept(new Problem(property() + ".steps[" + index + "]." + property, message));
    }
}
