package io.millrace.test;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Records of the fixed layout, back to back, that a test sends to a pipeline. Not thread-safe. */
@API(status = API.Status.STABLE)
public final class TestRecords {

    private static final long SEED = 1;

    private final RecordCodec codec;
    private final RecordGenerator generator;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private TestRecords(Schema schema) {
        codec = RecordCodec.of(schema);
        generator = RecordGenerator.of(schema, SEED);
    }

    /**
     * Returns an empty sequence of records.
     *
     * @throws IllegalArgumentException if the schema has the tagged layout
     */
    public static TestRecords of(Schema schema) {
        if (schema.baseLength() == 0) {
            throw new IllegalArgumentException("Schema '" + schema.name()
                    + "' has the tagged layout. Use bytes that a sender of such records has sent.");
        }
        return new TestRecords(schema.base());
    }

    /**
     * Adds a record. Fields that are not named have valid values, which are the same in each run of the test.
     *
     * @param values by field name, of the field's Java type or convertible to it without loss; null for absent
     * @throws IllegalArgumentException if the schema has no such field
     * @throws io.millrace.codec.FieldValueException if a field cannot hold its value
     */
    public TestRecords add(Map<String, ? extends @Nullable Object> values) {
        byte[] record = new byte[codec.schema().recordLength()];
        generator.fill(record, 0, 1);
        values.forEach((name, value) -> {
            FieldCodec field = codec.codec(name);
            field.setValue(record, 0, value);
        });
        bytes.writeBytes(record);
        return this;
    }

    /** Returns all records that were added. */
    public byte[] bytes() {
        return bytes.toByteArray();
    }
}
