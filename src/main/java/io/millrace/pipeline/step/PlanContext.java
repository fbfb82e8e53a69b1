package io.millrace.pipeline.step;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_OUTPUT;
import static io.millrace.schema.ProblemCode.UNKNOWN_REGION;

import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FieldPlace;
import io.millrace.expression.check.FieldPaths;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.extension.PropertyCheck;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that one step is compiled against. Receives the fields that the step adds, and each error. Not
 * thread-safe; used once.
 */
@API(status = API.Status.STABLE)
public final class PlanContext {

    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final String name;
    private final String kind;
    private final Map<String, Optional<Table>> tables;
    private final Set<String> targets;
    private final FunctionRegistry functions;
    private final PropertyCheck check;
    private Schema schema;
    private @Nullable Schema made;

    /**
     * @param name name of the step
     * @param kind kind of the step
     * @param schema schema of the records that reach the step
     * @param tables tables by name; empty for a table that could not be loaded, which has been reported
     * @param targets all targets that are no channels, each as a configuration writes it
     * @param functions functions that expressions may call
     * @param check receives each error
     */
    @API(status = API.Status.INTERNAL)
    public PlanContext(
            String name,
            String kind,
            Schema schema,
            Map<String, Optional<Table>> tables,
            Set<String> targets,
            FunctionRegistry functions,
            PropertyCheck check) {
        this.name = name;
        this.kind = kind;
        this.schema = schema;
        this.tables = tables;
        this.targets = targets;
        this.functions = functions;
        this.check = check;
    }

    /** Returns the name of the step. */
    public String name() {
        return name;
    }

    /** Returns the schema of the records, with the fields that this step has added so far. */
    public Schema schema() {
        return schema;
    }

    /** Returns tables by name; empty for a table that could not be loaded, which has been reported. */
    @API(status = API.Status.INTERNAL)
    public Map<String, Optional<Table>> tables() {
        return tables;
    }

    /** Returns the functions that expressions may call. */
    public FunctionRegistry functions() {
        return functions;
    }

    /** Returns what receives each error. */
    public PropertyCheck check() {
        return check;
    }

    /** Returns a compiler of expressions on the current schema. */
    public ExpressionCompiler compiler() {
        return new ExpressionCompiler(schema, functions);
    }

    /** Compiles expressions against the current schema. Returns null after an error, which it reports. */
    public <T> @Nullable T compile(String property, Function<ExpressionCompiler, T> compilation) {
        try {
            return compilation.apply(compiler());
        } catch (ExpressionException e) {
            check.report(property, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns whether the step can add a field of this name. Otherwise, reports the error. */
    public boolean canAdd(String property, String field) {
        if (!FIELD_NAME.matcher(field).matches()) {
            check.problem(
                    INVALID_NAME,
                    property,
                    "Invalid field name '" + field + "'. Use letters, digits and _ only, not starting with a digit.");
            return false;
        }
        if (schema.names().contains(field) || FieldPaths.isGroup(field, schema)) {
            check.problem(DUPLICATE_NAME, property, "Duplicate field '" + field + "'. Use the name of a new field.");
            return false;
        }
        return true;
    }

    /** Adds a field to the schema, and returns it with its offset. */
    public Field add(Field field) {
        schema = schema.extend(field);
        return Objects.requireNonNull(schema.field(field.name()));
    }

    /**
     * Declares that the step makes new records.
     *
     * @param records schema of the records that it passes on
     */
    @API(status = API.Status.INTERNAL)
    public void make(Schema records) {
        made = records;
    }

    /** Returns the schema of the records that the step passes on if it makes new records, otherwise null. */
    @API(status = API.Status.INTERNAL)
    public @Nullable Schema made() {
        return made;
    }

    /** Returns the place of a field in the current schema. */
    public FieldPlace place(Field field) {
        return FieldPlace.of(field, schema);
    }

    /**
     * Returns the plan of a step without expressions.
     *
     * @param reads names of the fields that the step reads. Other fields of records of variable length may be missing
     * @param writes fields that the step writes, as in the current schema
     * @param factory creates the running step
     */
    public StepPlan plan(List<String> reads, List<Field> writes, Function<RunContext, BatchStep> factory) {
        return plan(reads, writes, List.of(), factory);
    }

    /**
     * As {@link #plan(List, List, Function)}.
     *
     * @param constraints what the step requires of values, as in {@link StepExplanation#constraints}
     */
    public StepPlan plan(
            List<String> reads, List<Field> writes, List<String> constraints, Function<RunContext, BatchStep> factory) {
        List<FieldPlace> places = writes.stream().map(this::place).toList();
        return new StepPlan(new StepExplanation(name, kind, 0, places, constraints, List.of()), reads, factory);
    }

    /**
     * Reports a target that is an unknown region or output.
     *
     * @param channels whether it may be a channel
     */
    @API(status = API.Status.INTERNAL)
    public void requireKnown(String property, Target target, boolean channels) {
        if (targets.contains(target.text())) {
            return;
        }
        switch (target) {
            case Target.RegionTarget(String region) ->
                check.problem(
                        UNKNOWN_REGION,
                        property,
                        "Unknown region '" + region + "'" + hint(target)
                                + " Regions are defined under 'millrace.regions'."
                                + (channels ? " For a message channel, write 'channel:" + region + "'." : ""));
            case Target.OutputTarget(String output) ->
                check.problem(
                        UNKNOWN_OUTPUT,
                        property,
                        "Unknown output '" + output + "'" + hint(target)
                                + " Outputs are defined under 'millrace.outputs'.");
            case Target.ChannelTarget(String channel) -> {
                // The application has it, perhaps later.
                if (!channels) {
                    check.problem(
                            INVALID_VALUE,
                            property,
                            "Invalid target 'channel:" + channel + "'. Use the name of a region, or 'output:' and that"
                                    + " of an output.");
                }
            }
        }
    }

    private String hint(Target unknown) {
        return NearestName.hint(
                unknown.name(),
                targets.stream()
                        .map(Target::parse)
                        .filter(known -> known.getClass() == unknown.getClass())
                        .map(Target::name)
                        .toList());
    }
}
