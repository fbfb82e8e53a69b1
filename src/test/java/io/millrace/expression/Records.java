package io.millrace.expression;

import io.millrace.codec.IpText;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records by field name and Java value, in and out of bytes, and what loops do with them. */
public final class Records {

    private final Schema schema;
    private final List<Map<String, ?>> rows = new ArrayList<>();

    public Records(Schema schema) {
        this.schema = schema;
    }

    public Records add(Map<String, ?> row) {
        rows.add(row);
        return this;
    }

    /** A batch whose records start at an odd place in an array full of other bytes. */
    public RecordBatch batch() {
        int start = 7;
        int base = schema.baseLength();
        byte[] bytes = new byte[start + rows.size() * base + 5];
        Arrays.fill(bytes, (byte) 0xA5);
        RecordBatch batch = new RecordBatch(schema).fill(bytes, start, rows.size(), 0, 0);
        Arrays.fill(batch.added(), (byte) 0xA5);
        for (int i = 0; i < rows.size(); i++) {
            for (Field field : schema.fields()) {
                write(batch, i, field, rows.get(i).get(field.name()));
            }
        }
        return batch;
    }

    private void write(RecordBatch batch, int ordinal, Field field, @Nullable Object value) {
        boolean added = schema.isAdded(field);
        write(added ? batch.added() : batch.bytes(), at(batch, ordinal, field), field, value);
    }

    private int at(RecordBatch batch, int ordinal, Field field) {
        return schema.isAdded(field)
                ? batch.addedOffset(ordinal) + field.offset() - schema.baseLength()
                : batch.offset(ordinal) + field.offset();
    }

    static void write(byte[] bytes, int at, Field field, @Nullable Object value) {
        if (field.nullFlag()) {
            bytes[at + field.type().bytes()] = (byte) (value == null ? 1 : 0);
        }
        switch (field.type()) {
            case FieldType.Numbered type -> RawBytes.put(bytes, at, type.storage(), raw(field, type, value));
            case FieldType.FloatType(int width, var order) -> {
                double real = value == null ? 0 : ((Number) value).doubleValue();
                long bits = value == null && field.optional()
                        ? field.nullRaw()
                        : width == 4 ? Float.floatToRawIntBits((float) real) : Double.doubleToRawLongBits(real);
                RawBytes.put(bytes, at, IntStorage.of(width, true, order), bits);
            }
            case FieldType.StringType(int width, var charset, byte pad) -> {
                Arrays.fill(bytes, at, at + width, pad);
                byte[] text = String.valueOf(value == null ? "" : value).getBytes(charset);
                System.arraycopy(text, 0, bytes, at, text.length);
            }
            case FieldType.IpType(int width) -> {
                byte[] address = value == null
                        ? new byte[width]
                        : Objects.requireNonNull(IpText.parse((String) value, width), value.toString());
                System.arraycopy(address, 0, bytes, at, width);
            }
            case FieldType.BytesType(int width) ->
                System.arraycopy(value == null ? new byte[width] : (byte[]) value, 0, bytes, at, width);
        }
    }

    private static long raw(Field field, FieldType.Numbered type, @Nullable Object value) {
        if (value == null) {
            return field.optional() ? field.nullRaw() : 0;
        }
        return switch (type) {
            case FieldType.EnumType(var ignoredStorage, var dictionary)
            when value instanceof String name -> dictionary.code(name);
            case FieldType.DecimalType(var ignoredStorage2, int scale) ->
                ((BigDecimal) value).setScale(scale).unscaledValue().longValueExact();
            case FieldType.DateType _ -> ((LocalDate) value).toEpochDay();
            case FieldType.InstantType(var ignoredStorage, var unit) ->
                unit.convert(Duration.between(Instant.EPOCH, (Instant) value));
            case FieldType.BooleanType _ -> (Boolean) value ? 1 : 0;
            default -> ((Number) value).longValue();
        };
    }

    /** The decoded record, with floats as doubles: expressions compute with doubles only. */
    public Map<String, @Nullable Object> decode(RecordBatch batch, int ordinal) {
        Map<String, @Nullable Object> values =
                new LinkedHashMap<>(RecordCodec.of(schema).decode(bytes(batch, ordinal), 0));
        values.replaceAll((_, value) -> value instanceof Float real ? (Object) real.doubleValue() : value);
        return values;
    }

    /** The record in an array of its own. */
    byte[] bytes(RecordBatch batch, int ordinal) {
        byte[] record = new byte[schema.recordLength()];
        batch.copyRecord(ordinal, record, 0, record.length);
        return record;
    }

    /** Ordinals that a batch still holds. */
    public static List<Integer> alive(RecordBatch batch) {
        return Arrays.stream(batch.selection(), 0, batch.selected()).boxed().toList();
    }

    /** Which records a filter keeps. */
    public List<Integer> kept(String expression, Map<Integer, RejectReason> rejects) {
        RecordBatch batch = batch();
        new ExpressionCompiler(schema)
                .filter(expression)
                .loop()
                .apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        return alive(batch);
    }

    /** Which records a filter keeps, while it rejects none. */
    public List<Integer> kept(String expression) {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        List<Integer> kept = kept(expression, rejects);
        if (!rejects.isEmpty()) {
            throw new AssertionError("rejected: " + rejects);
        }
        return kept;
    }

    static final ByteOrder BIG = ByteOrder.BIG_ENDIAN;
}
