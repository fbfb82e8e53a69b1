package io.millrace.corpus;

import io.millrace.codec.text.format.RecordFormat;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.store.query.StoredRecords;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A conversion of binary records to text and back. */
record Conversion(CorpusForm form, RecordFormat format) {

    static List<Conversion> all(CorpusRecords records) {
        return List.of(
                new Conversion(records.fixed(), RecordFormat.CSV),
                new Conversion(records.fixed(), RecordFormat.JSON),
                new Conversion(records.compact(), RecordFormat.CSV),
                new Conversion(records.compact(), RecordFormat.JSON));
    }

    /** Returns the text. */
    byte[] text() {
        return convert(RecordFormat.BINARY, format, form.file());
    }

    String asText() {
        return new String(text(), StandardCharsets.UTF_8);
    }

    private byte[] convert(RecordFormat from, RecordFormat to, byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            from.convert(to, form.schema(), new ByteArrayInputStream(bytes), out, _ -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Returns the values of the records after the way there and back, by the number of the record. */
    Map<Long, Map<String, @Nullable Object>> values() {
        ByteBuffer converted = ByteBuffer.wrap(convert(format, RecordFormat.BINARY, text()));
        StoredRecords decoder = StoredRecords.of(form.schema());
        Map<Long, Map<String, @Nullable Object>> values = new TreeMap<>();
        while (converted.hasRemaining()) {
            byte[] record = new byte
                    [form.schema().layout().variesInLength()
                            ? converted.getInt()
                            : form.schema().recordLength()];
            converted.get(record);
            Map<String, @Nullable Object> decoded = decoder.decode(record, 0);
            values.put(Found.number(decoded), plain(decoded));
        }
        return values;
    }

    private static Map<String, @Nullable Object> plain(Map<String, @Nullable Object> record) {
        Map<String, @Nullable Object> plain = new HashMap<>();
        record.forEach((name, value) -> plain.put(name, Found.plain(value)));
        return plain;
    }

    /** Returns the values of all records that the format has: an empty cell of CSV is an absent value. */
    Map<Long, Map<String, @Nullable Object>> expected(List<Map<String, @Nullable Object>> records) {
        Map<Long, Map<String, @Nullable Object>> expected = new TreeMap<>();
        for (Map<String, @Nullable Object> record : records) {
            boolean written = format != RecordFormat.CSV
                    || form.schema().fields().stream().noneMatch(field -> isEmpty(field, record));
            if (written) {
                expected.put(Found.number(record), plain(record));
            }
        }
        return expected;
    }

    private static boolean isEmpty(Field field, Map<String, @Nullable Object> record) {
        return field.optional() && field.type() instanceof FieldType.StringType && "".equals(record.get(field.name()));
    }

    @Override
    public String toString() {
        return "convert-" + form.name() + "-" + format;
    }
}
