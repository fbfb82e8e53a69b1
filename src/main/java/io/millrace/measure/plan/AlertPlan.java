package io.millrace.measure.plan;

import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchFilter;
import io.millrace.measure.AlertEvent;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A validated and compiled alert. Immutable.
 *
 * @param definition the definition it was compiled from
 * @param when condition on rows that raises the alert
 * @param until condition on rows that clears the alert, or null to clear it when {@code when} no longer holds
 * @param schema schema of the alert's records: the fields of a row, followed by {@value #STATE} and {@value #SINCE}
 */
public record AlertPlan(
        AlertDefinition definition,
        BatchFilter when,
        @Nullable BatchFilter until,
        Schema schema) {

    static final String STATE = "state";
    static final String SINCE = "since";

    /** Names of the fields that an alert's record has in addition to those of a row. */
    static final List<String> OWN = List.of(STATE, SINCE);

    private static final Dictionary STATES = Dictionary.of("cleared", "raised");

    /** Returns the schema of an alert's records. */
    static Schema schema(Schema row, String alert) {
        return new Schema(row.name() + "-" + alert, row.recordLength(), List.copyOf(row.fields()), List.of())
                .extend(Field.of(
                        STATE, new FieldType.EnumType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN), STATES), 0))
                .extend(Field.of(SINCE, new FieldType.InstantType(Aggregate.WHOLE, TimeUnit.MILLISECONDS), 0))
                .stored();
    }

    /**
     * Decodes a record of the alert.
     *
     * @param measure name of the measure
     */
    public AlertEvent event(String measure, byte[] record) {
        Map<String, @Nullable Object> row =
                new LinkedHashMap<>(RecordCodec.of(schema).decode(record, 0));
        boolean raised = "raised".equals(row.remove(STATE));
        Instant since = (Instant) Objects.requireNonNull(row.remove(SINCE));
        Instant at = (Instant) Objects.requireNonNull(row.get(RowLayout.END));
        return new AlertEvent(measure, name(), raised, since, at, Collections.unmodifiableMap(row));
    }

    /** Returns the name of the alert. */
    public String name() {
        return definition.name();
    }
}
