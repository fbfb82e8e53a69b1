package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.TYPE_MISMATCH;
import static io.millrace.schema.ProblemCode.UNKNOWN_FIELD;
import static io.millrace.schema.ProblemCode.UNKNOWN_MEASURE;
import static io.millrace.schema.ProblemCode.UNKNOWN_NAME;
import static io.millrace.schema.ProblemCode.UNKNOWN_TABLE;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.config.properties.MapProperties;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import io.millrace.web.page.Outline;
import io.millrace.web.page.PlaceMap;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Plans the map from its properties, and checks the measure, table, fields and values that they name. */
final class MapPlanner {

    private final MapProperties properties;
    private final Map<String, Optional<Table>> tables;
    private final BiConsumer<String, String> problems;
    private final Map<String, PipelinePlan> pipelines = new LinkedHashMap<>();
    private final Map<String, MeasurePlan> measures = new LinkedHashMap<>();
    private boolean good = true;

    /**
     * @param plans plans of all valid pipelines
     * @param tables tables by name; empty for a configured table that is invalid
     * @param problems receives each error: the name of a property and the message
     */
    MapPlanner(
            MapProperties properties,
            List<PipelinePlan> plans,
            Map<String, Optional<Table>> tables,
            BiConsumer<String, String> problems) {
        this.properties = properties;
        this.tables = tables;
        this.problems = problems;
        for (PipelinePlan plan : plans) {
            for (MeasurePlan measure : plan.measures()) {
                pipelines.putIfAbsent(measure.name(), plan);
                measures.putIfAbsent(measure.name(), measure);
            }
        }
    }

    /** Returns the map, or null if it has problems. */
    @Nullable
    PlaceMap plan() {
        MeasurePlan measure = named("measure", properties.measure(), measures);
        Optional<Table> configured = named("table", properties.table(), tables);
        Table table = configured == null ? null : configured.orElse(null);
        if (properties.low() >= properties.high()) {
            problem(
                    "low",
                    INVALID_NUMBER.message("Invalid number '" + properties.low() + "'. Use less than 'high', "
                            + properties.high() + "."));
        }
        if (table != null) {
            number("latitude", properties.latitude(), table.schema());
            number("longitude", properties.longitude(), table.schema());
            if (properties.label() != null) {
                field("label", properties.label(), table.schema());
            }
        }
        if (measure != null) {
            value("size", properties.size(), measure);
            value("colour", properties.colour(), measure);
            String alert = properties.alert();
            List<String> alerts = measure.alerts().stream()
                    .map(plan -> plan.definition().name())
                    .toList();
            if (alert != null && !alerts.contains(alert)) {
                problem(
                        "alert",
                        UNKNOWN_NAME.message("Unknown alert '" + alert + "' of measure '" + measure.name() + "'"
                                + NearestName.hint(alert, alerts)));
            }
            if (measure.keyNames().size() != 1) {
                problem(
                        "measure",
                        INVALID_VALUE.message("Measure '" + measure.name() + "' is grouped by " + measure.keyNames()
                                + ". Use a measure that is grouped by one field, the key of the places."));
            } else if (table != null) {
                requireSameKeys(measure, table);
            }
        }
        Outline outline = outline();
        if (!good || measure == null || table == null || properties.size() == null || properties.colour() == null) {
            return null;
        }
        return new PlaceMap(
                properties.title(),
                measure.name(),
                pipeline(measure.name()),
                measure.keyNames().getFirst(),
                table,
                properties.latitude(),
                properties.longitude(),
                properties.label(),
                properties.size(),
                properties.colour(),
                properties.low(),
                properties.high(),
                properties.alert(),
                outline);
    }

    private void requireSameKeys(MeasurePlan measure, Table table) {
        Field key = measure.rowSchema().field(measure.keyNames().getFirst());
        if (key != null && key.type().javaType() != table.key().type().javaType()) {
            problem(
                    "table",
                    TYPE_MISMATCH.message("Table '" + table.name() + "' has keys of another type, "
                            + table.key().type().describe() + ", than measure '" + measure.name() + "' is grouped by, "
                            + key.type().describe() + "."));
        }
    }

    private @Nullable Outline outline() {
        String file = properties.outline();
        if (file == null) {
            return null;
        }
        try {
            return Outline.read(file);
        } catch (IllegalArgumentException e) {
            problem("outline", UNREADABLE_FILE.message(String.valueOf(e.getMessage())));
            return null;
        }
    }

    private String pipeline(String measure) {
        PipelinePlan plan = pipelines.get(measure);
        return plan == null ? "" : plan.name();
    }

    private <T> @Nullable T named(String property, @Nullable String name, Map<String, T> known) {
        if (name == null) {
            problem(property, MISSING_VALUE.message("Missing value: the name of a " + property + "."));
            return null;
        }
        T found = known.get(name);
        if (found == null) {
            problem(
                    property,
                    (property.equals("table") ? UNKNOWN_TABLE : UNKNOWN_MEASURE)
                            .message("Unknown " + property + " '" + name + "'"
                                    + NearestName.hint(name, known.keySet())));
        }
        return found;
    }

    private void value(String property, @Nullable String name, MeasurePlan measure) {
        if (name == null) {
            problem(property, MISSING_VALUE.message("Missing value: a value of measure '" + measure.name() + "'."));
        } else if (!measure.valueNames().contains(name)) {
            unknown(property, name, "value of measure '" + measure.name() + "'", measure.valueNames());
        } else {
            number(property, name, measure.rowSchema());
        }
    }

    private void number(String property, String name, Schema schema) {
        Field field = field(property, name, schema);
        if (field != null && !Number.class.isAssignableFrom(field.type().javaType())) {
            problem(
                    property,
                    INVALID_VALUE.message("Invalid field '" + name + "', of type "
                            + field.type().describe() + ". Use a number."));
        }
    }

    private @Nullable Field field(String property, String name, Schema schema) {
        Field field = schema.field(name);
        if (field == null) {
            unknown(
                    property,
                    name,
                    "field of '" + schema.name() + "'",
                    schema.fields().stream().map(Field::name).toList());
        }
        return field;
    }

    private void unknown(String property, String name, String what, Collection<String> known) {
        problem(
                property,
                UNKNOWN_FIELD.message("Unknown " + what + ": '" + name + "'" + NearestName.hint(name, known)));
    }

    private void problem(String property, String message) {
        good = false;
        problems.accept(property, message);
    }
}
