package io.millrace.pipeline.step;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.UNKNOWN_REGION;

import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FieldPlace;
import io.millrace.expression.check.FieldPaths;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that one step is compiled against. Properties of errors are relative to the step. Not thread-safe;
 * used once.
 */
public final class PlanContext {

    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final String name;
    private final Map<String, Optional<Table>> tables;
    private final Set<String> regions;
    private final FunctionRegistry functions;
    private final BiConsumer<String, String> problems;
    private Schema schema;
    private @Nullable Schema made;

    /**
     * @param name name of the step
     * @param schema schema of the records that reach the step
     * @param tables tables by name; empty for a table that could not be loaded, which has been reported
     * @param regions names of all regions that a target can have
     * @param functions functions that expressions may call
     * @param problems receives each error: the property and the message
     */
    public PlanContext(
            String name,
            Schema schema,
            Map<String, Optional<Table>> tables,
            Set<String> regions,
            FunctionRegistry functions,
            BiConsumer<String, String> problems) {
        this.name = name;
        this.schema = schema;
        this.tables = tables;
        this.regions = regions;
        this.functions = functions;
        this.problems = problems;
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
    public Map<String, Optional<Table>> tables() {
        return tables;
    }

    public FunctionRegistry functions() {
        return functions;
    }

    /** Reports an error. */
    public void problem(String property, String message) {
        problems.accept(property, message);
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
            problem(property, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns whether the step can add a field of this name. Otherwise, reports the error. */
    public boolean canAdd(String property, String field) {
        if (!FIELD_NAME.matcher(field).matches()) {
            problem(
                    property,
                    INVALID_NAME.message("Invalid field name '" + field
                            + "'. Use letters, digits and _ only, not starting with a digit."));
            return false;
        }
        if (schema.names().contains(field) || FieldPaths.isGroup(field, schema)) {
            problem(property, DUPLICATE_NAME.message("Duplicate field '" + field + "'. Use the name of a new field."));
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
    public void make(Schema records) {
        made = records;
    }

    /** Returns the schema of the records that the step passes on if it makes new records, otherwise null. */
    public @Nullable Schema made() {
        return made;
    }

    /** Returns the place of a field in the current schema. */
    public FieldPlace place(Field field) {
        return FieldPlace.of(field, schema);
    }

    /** Reports a target that is an unknown region. */
    public void requireKnown(String property, Target target) {
        if (target instanceof Target.RegionTarget(String region) && !regions.contains(region)) {
            problem(
                    property,
                    UNKNOWN_REGION.message("Unknown region '" + region + "'" + NearestName.hint(region, regions)
                            + " Regions are defined under 'millrace.regions'. For a message channel, write 'channel:"
                            + region + "'."));
        }
    }
}
