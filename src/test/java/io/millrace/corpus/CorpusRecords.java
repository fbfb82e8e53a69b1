package io.millrace.corpus;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.expression.ExtremeRecords;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The same records in all layouts. */
public final class CorpusRecords {

    /** A number of 4 bytes that identifies the record. */
    static final String NUMBER = "n";

    private static final int NUMBER_TAG = 100;

    private final List<Map<String, @Nullable Object>> values;
    private final CorpusForm fixed;
    private final CorpusForm compact;
    private final CorpusForm tagged;

    private CorpusRecords(List<CorpusField> fields, CorpusForm fixed, List<Map<String, @Nullable Object>> values) {
        this.values = values;
        this.fixed = fixed;
        this.compact = compact(fields, values);
        this.tagged = tagged(fields, values);
    }

    /** Returns records with the values of a list. */
    public static CorpusRecords of(List<CorpusField> fields, List<Map<String, @Nullable Object>> values) {
        return new CorpusRecords(fields, fixed(fields, values), values);
    }

    /**
     * Returns random records with absent and extreme values, numbered by {@link #NUMBER}.
     *
     * @param largest whether some are numbers that no long can hold
     */
    static CorpusRecords random(Random random, List<CorpusField> others, int count, boolean largest) {
        List<CorpusField> fields = new ArrayList<>();
        fields.add(new CorpusField(NUMBER, "u32", "", false, false));
        fields.addAll(others);
        Schema schema = fixed(fields, List.of()).schema();
        ExtremeRecords extremes = new ExtremeRecords(random);
        List<Map<String, @Nullable Object>> values = new ArrayList<>();
        for (long n = 0; n < count; n++) {
            Map<String, @Nullable Object> record = extremes.record(schema);
            record.put(NUMBER, n);
            values.add(record);
        }
        if (largest) {
            schema.fields().forEach(field -> putLargest(field, values, random));
        }
        return of(fields, values);
    }

    private static void putLargest(Field field, List<Map<String, @Nullable Object>> values, Random random) {
        if (field.type() instanceof FieldType.IntegerType(var storage) && storage.unsignedLong()) {
            for (int i = 0; i < values.size(); i += 1 + random.nextInt(4)) {
                values.get(i).put(field.name(), BigInteger.TWO.pow(63).add(BigInteger.valueOf(random.nextInt(3))));
            }
        }
    }

    /** Returns the schema of the fixed layout. */
    Schema schema() {
        return fixed.schema();
    }

    CorpusForm fixed() {
        return fixed;
    }

    CorpusForm compact() {
        return compact;
    }

    /** Returns the records in each layout. */
    public List<CorpusForm> forms() {
        return List.of(fixed, compact, tagged);
    }

    /** Returns the values of each record by field name; null is absent. */
    List<Map<String, @Nullable Object>> values() {
        return values;
    }

    private static CorpusForm fixed(List<CorpusField> fields, List<Map<String, @Nullable Object>> values) {
        StringBuilder text = new StringBuilder("schema: corpus\nfields:\n");
        fields.forEach(field -> text.append(field.inFixed()));
        Schema schema = CorpusForm.read(text.toString());
        return CorpusForm.of("fixed", text.toString(), rows(schema, values));
    }

    private static List<byte[]> rows(Schema schema, List<Map<String, @Nullable Object>> values) {
        return values.stream()
                .map(record -> write(schema, new byte[schema.recordLength()], record))
                .toList();
    }

    private static byte[] write(Schema schema, byte[] row, Map<String, @Nullable Object> record) {
        RecordCodec codec = RecordCodec.of(schema);
        schema.fields().forEach(field -> codec.codec(field.name()).setValue(row, 0, record.get(field.name())));
        return row;
    }

    private static CorpusForm compact(List<CorpusField> fields, List<Map<String, @Nullable Object>> values) {
        StringBuilder text = new StringBuilder("schema: corpus\nlayout: compact\nfields:\n");
        fields.forEach(field -> text.append(field.inCompact()));
        Schema schema = CorpusForm.read(text.toString());
        CompactEncoder encoder = new CompactEncoder(schema);
        List<byte[]> records = new ArrayList<>();
        for (Map<String, @Nullable Object> record : values) {
            encoder.clear();
            encoder.encode(write(schema, encoder.blank(), record), 0, List.<ChildRows>of(), 0);
            records.add(encoder.toBytes());
        }
        return CorpusForm.of("compact", text.toString(), records);
    }

    /** An element for each field that is there, with the bytes that it has in a row. */
    private CorpusForm tagged(List<CorpusField> fields, List<Map<String, @Nullable Object>> values) {
        StringBuilder text = new StringBuilder("schema: corpus\nlayout: tagged\nheader: 0\n"
                + "elements: { tag: 1, length: 1, counts: all }\nfields:\n");
        for (int i = 0; i < fields.size(); i++) {
            text.append(fields.get(i).inTagged(NUMBER_TAG + i));
        }
        List<byte[]> packets = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            packets.add(packet(fields, fixed.records().get(i), values.get(i)));
        }
        return CorpusForm.of("tagged", text.toString(), packets);
    }

    private byte[] packet(List<CorpusField> fields, byte[] row, Map<String, @Nullable Object> record) {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        for (int i = 0; i < fields.size(); i++) {
            Object there = record.get(fields.get(i).name());
            if (there != null) {
                Field field =
                        Objects.requireNonNull(schema().field(fields.get(i).name()));
                byte[] value = field.type() instanceof FieldType.StringType
                        ? there.toString().getBytes(StandardCharsets.UTF_8)
                        : Arrays.copyOfRange(row, field.offset(), field.nullFlagAt());
                packet.write(NUMBER_TAG + i);
                packet.write(2 + value.length);
                packet.writeBytes(value);
            }
        }
        return packet.toByteArray();
    }
}
