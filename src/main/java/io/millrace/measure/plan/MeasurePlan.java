package io.millrace.measure.plan;

import io.millrace.aggregate.AggregateLayout;
import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.catalog.DefinitionChange;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A validated and compiled measure. Immutable; created by a {@link MeasurePlanner}. */
public final class MeasurePlan {

    private final MeasureDefinition definition;
    private final Schema records;
    private final @Nullable Column time;
    private final List<RowKey> keys;
    private final AggregateLayout layout;
    private final List<GroupKey> identities;
    private final List<SketchPlan> sketches;
    private final List<Aggregate> aggregates;
    private final List<Value> values;
    private final RowLayout rows;
    private final RecordCodec codec;
    private final List<AlertPlan> alerts;
    private final List<MeasureExpression> expressions;
    private final int codeBytes;

    /**
     * @param records schema of the records that the measure reads
     * @param time event time of a record, or null for the time at which it is processed
     * @param identities keys whose distinct values sketches count
     * @param aggregates the aggregates in formulas, in the order of the added fields of a row
     * @param values values of a row, in order
     * @param expressions explanations of the compiled expressions
     * @param codeBytes length of the generated code, in bytes
     */
    MeasurePlan(
            MeasureDefinition definition,
            Schema records,
            @Nullable Column time,
            List<RowKey> keys,
            AggregateLayout layout,
            List<GroupKey> identities,
            List<SketchPlan> sketches,
            List<Aggregate> aggregates,
            List<Value> values,
            RowLayout rows,
            List<AlertPlan> alerts,
            List<MeasureExpression> expressions,
            int codeBytes) {
        this.definition = definition;
        this.records = records;
        this.time = time;
        this.keys = List.copyOf(keys);
        this.layout = layout;
        this.identities = List.copyOf(identities);
        this.sketches = List.copyOf(sketches);
        this.aggregates = List.copyOf(aggregates);
        this.values = List.copyOf(values);
        this.rows = rows;
        this.alerts = List.copyOf(alerts);
        this.codec = RecordCodec.of(rows.row());
        this.expressions = List.copyOf(expressions);
        this.codeBytes = codeBytes;
    }

    /** Returns the definition it was compiled from. */
    public MeasureDefinition definition() {
        return definition;
    }

    /**
     * Returns whether records belong to windows by a time of their own, not by the time at which they are processed.
     */
    public boolean usesEventTime() {
        return time != null;
    }

    /**
     * Returns the same measure, which counts records in any order: none is late, and no window closes before the end.
     */
    public MeasurePlan inAnyOrder() {
        return new MeasurePlan(
                definition.withLateness(MeasureDefinition.ANY_LATENESS),
                records,
                time,
                keys,
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

    /** Returns the name of the measure. */
    public String name() {
        return definition.name();
    }

    /** Returns the schema of its rows. */
    public Schema rowSchema() {
        return rows.row();
    }

    /** Returns its alerts, in the order of the configuration. */
    public List<AlertPlan> alerts() {
        return alerts;
    }

    /**
     * Returns a text that identifies the meaning of a stored state. A changed definition can continue from the state if
     * its text is equal.
     */
    public String meaning() {
        return definition.by() + " " + definition.values() + " " + definition.windows() + " " + definition.time() + " "
                + layout.slots() + " " + rowSchema().fingerprintHex();
    }

    /**
     * Returns how a measure that is to continue with this measure's groups, windows and alerts differs, a line for each
     * difference; empty if it can continue. Conditions of alerts may differ, and so may the fields that it reads, as
     * long as their types are the same.
     */
    public List<String> differences(MeasurePlan next) {
        List<String> differences = new ArrayList<>(
                DefinitionChange.between(stored(), next.stored()).all());
        MeasureDefinition after = next.definition;
        compare("allowed-lateness", definition.lateness(), after.lateness(), differences);
        compare("idle-timeout", definition.idleTimeout(), after.idleTimeout(), differences);
        compare("max-groups", definition.groups(), after.groups(), differences);
        compare("meters", definition.meters(), after.meters(), differences);
        compare("to", definition.to(), after.to(), differences);
        compare("alerts", destinations(definition), destinations(after), differences);
        if (differences.isEmpty() && !meaning().equals(next.meaning())) {
            differences.add("the types of its fields");
        }
        return differences;
    }

    private static void compare(String what, @Nullable Object before, @Nullable Object after, List<String> into) {
        if (!Objects.equals(before, after)) {
            into.add(what + ": '" + before + "' is running, '" + after + "' is requested");
        }
    }

    private static List<String> destinations(MeasureDefinition measure) {
        return measure.alerts().stream()
                .map(alert -> alert.name() + " to=" + alert.to())
                .toList();
    }

    /**
     * Returns the definition for the catalog: everything that the state depends on, and the regions of rows and alerts.
     */
    public StoredDefinition stored() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("by", String.join(", ", definition.by()));
        definition.values().forEach((name, value) -> properties.put("values." + name, value));
        properties.putAll(definition.windows().properties());
        if (definition.time() != null) {
            properties.put("time", definition.time());
        }
        properties.put(
                "aggregates",
                layout.slots().stream()
                        .map(slot -> slot.operation() + "(" + slot.column() + ")")
                        .collect(Collectors.joining(", ")));
        if (!definition.regions().isEmpty()) {
            properties.put("regions", String.join(", ", definition.regions()));
        }
        return new StoredDefinition(Kind.MEASURE, properties, SchemaDescription.of(rowSchema()));
    }

    /** Returns the explanations of its compiled expressions, in the order of the configuration. */
    public List<MeasureExpression> expressions() {
        return expressions;
    }

    /** Returns the length of the code that fills its columns and computes its values, in bytes. */
    public int codeBytes() {
        return codeBytes;
    }

    /** Returns the names of the grouping keys, which are fields of a row. */
    public List<String> keyNames() {
        return keys.stream().map(key -> key.field().name()).toList();
    }

    /** Returns the names of the values of a row. */
    public List<String> valueNames() {
        return values.stream().map(value -> value.field().name()).toList();
    }

    /** Returns the schema of the records that it reads. */
    public Schema records() {
        return records;
    }

    /** Returns the event time of a record, or null for the time at which it is processed. */
    public @Nullable Column time() {
        return time;
    }

    /** Returns the unit of event times. */
    public TimeUnit timeUnit() {
        return time != null && time.type() instanceof FieldType.InstantType(var ignoredStorage, TimeUnit unit)
                ? unit
                : TimeUnit.MILLISECONDS;
    }

    /** Returns the grouping keys. */
    public List<GroupKey> keys() {
        return keys.stream().map(RowKey::key).toList();
    }

    List<RowKey> rowKeys() {
        return keys;
    }

    /** Returns the number of longs in a group's key. */
    public int keyWidth() {
        return keys.stream().mapToInt(key -> key.key().longs()).sum();
    }

    /** Returns the slots of a group, and the columns from which they are computed. */
    public AggregateLayout layout() {
        return layout;
    }

    /** Returns the keys whose distinct values sketches count. */
    public List<GroupKey> identities() {
        return identities;
    }

    /** Returns the sketches that each group has. */
    public List<SketchPlan> sketches() {
        return sketches;
    }

    List<Aggregate> aggregates() {
        return aggregates;
    }

    List<Value> values() {
        return values;
    }

    RowLayout rows() {
        return rows;
    }

    /** Returns the schema of its rows while formulas and alerts read them, with added fields. */
    public Schema formulas() {
        return rows.formulas();
    }

    /**
     * Returns the offset in a row of the byte that marks the row of all groups over the limit. The fields of the keys
     * follow.
     */
    public int othersAt() {
        return rows.field(RowLayout.OTHERS).offset();
    }

    /** Returns the offset in a row at which the fields of the keys end. */
    public int keysEnd() {
        return keys.isEmpty() ? othersAt() + 1 : keys.getLast().field().end();
    }

    /**
     * Returns the bytes that identify the group of a row among the rows of its window: the key, and whether it is the
     * row of all groups over the limit.
     */
    public ByteBuffer group(Window window, int row) {
        int from = othersAt();
        return ByteBuffer.wrap(window.rows(), row * rowSchema().recordLength() + from, keysEnd() - from);
    }

    /** Returns whether two rows of this measure have the same values. */
    public boolean same(Window window, int row, Window other, int otherRow) {
        int length = rowSchema().recordLength();
        return Arrays.equals(
                        window.rows(),
                        row * length,
                        (row + 1) * length,
                        other.rows(),
                        otherRow * length,
                        (otherRow + 1) * length)
                && wide(window, row).equals(wide(other, otherRow));
    }

    private static Map<String, BigDecimal> wide(Window window, int row) {
        return window.wide().isEmpty()
                ? Map.of()
                : window.wide().entrySet().stream()
                        .filter(value -> value.getKey().row() == row)
                        .collect(Collectors.toMap(value -> value.getKey().field(), Map.Entry::getValue));
    }

    /**
     * Decodes a row: values by name as the Java types of their fields, absent values as null, and sums that exceed
     * their fields in full.
     */
    public Map<String, @Nullable Object> decode(Window window, int row) {
        Map<String, @Nullable Object> decoded =
                codec.decode(window.rows(), row * rowSchema().recordLength());
        for (Value value : values) {
            Field field = value.field();
            Object wide = window.wide().get(new Window.Place(row, field.name()));
            if (wide != null) {
                decoded.put(field.name(), wide);
            }
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(decoded));
    }
}
