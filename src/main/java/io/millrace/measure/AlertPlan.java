package io.millrace.measure;

import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchFilter;
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
 * An alert, checked and compiled. Immutable.
 *
 * @param definition what it was made from
 * @param when condition on rows for it to be raised
 * @param until condition on rows for it to be cleared, null for {@code when} not to hold
 * @param schema of the records that tell of it: rows with {@value #STATE} and {@value #SINCE} behind
 */
public record AlertPlan(
        AlertDefinition definition,
        BatchFilter when,
        @Nullable BatchFilter until,
        Schema schema) {

    static final String STATE = "state";
    static final String SINCE = "since";

    /** Names that the fields of alerts have beside those of rows. */
    static final List<String> OWN = List.of(STATE, SINCE);

    private static final Dictionary STATES = Dictionary.of("cleared", "raised");

    /** The schema of the records that tell of an alert. */
    static Schema schema(Schema row, String alert) {
        return new Schema(row.name() + "-" + alert, row.recordLength(), List.copyOf(row.fields()), List.of())
                .extend(Field.of(
                        STATE, new FieldType.EnumType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN), STATES), 0))
                .extend(Field.of(SINCE, new FieldType.InstantType(Aggregate.WHOLE, TimeUnit.MILLISECONDS), 0))
                .stored();
    }

    /**
     * Reads a record that tells of the alert.
     *
     * @param measure name of its measure
     */
    AlertEvent event(String measure, byte[] record) {
        Map<String, @Nullable Object> row =
                new LinkedHashMap<>(RecordCodec.of(schema).decode(record, 0));
        boolean raised = "raised".equals(row.remove(STATE));
        Instant since = (Instant) Objects.requireNonNull(row.remove(SINCE));
        Instant at = (Instant) Objects.requireNonNull(row.get(RowLayout.END));
        return new AlertEvent(measure, name(), raised, since, at, Collections.unmodifiableMap(row));
    }

    /** Name of the alert. */
    public String name() {
        return definition.name();
    }
}
