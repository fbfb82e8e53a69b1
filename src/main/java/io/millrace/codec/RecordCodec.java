package io.millrace.codec;

import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads and writes the stored fields of a schema's records in place. Immutable, so safe for use by many threads. */
@API(status = API.Status.STABLE)
public final class RecordCodec {

    private final Schema schema;
    private final List<FieldCodec> codecs;
    private final Map<String, FieldCodec> byName = new LinkedHashMap<>();

    private RecordCodec(Schema schema) {
        this.schema = schema;
        this.codecs = schema.fields().stream().map(FieldCodecs::of).toList();
        for (FieldCodec codec : codecs) {
            byName.put(codec.field().name(), codec);
        }
    }

    /**
     * Returns the codec of a schema's records.
     *
     * @throws IllegalArgumentException if a constraint allows no value that its field can hold
     */
    public static RecordCodec of(Schema schema) {
        return new RecordCodec(schema);
    }

    /** Returns the schema of the records. */
    public Schema schema() {
        return schema;
    }

    /** Returns a record whose optional fields are absent and whose other bytes are zero. */
    @API(status = API.Status.INTERNAL)
    public byte[] blank() {
        byte[] record = new byte[schema.recordLength()];
        codecs.stream().filter(codec -> codec.field().optional()).forEach(codec -> codec.clear(record, 0));
        return record;
    }

    /** Returns the codecs of all stored fields, in the order of the schema. */
    public List<FieldCodec> codecs() {
        return codecs;
    }

    /**
     * Returns the codec of a field.
     *
     * @throws IllegalArgumentException if the schema has no such stored field
     */
    public FieldCodec codec(String fieldName) {
        FieldCodec codec = byName.get(fieldName);
        if (codec == null) {
            throw new IllegalArgumentException("Unknown field '" + fieldName + "' in schema '" + schema.name() + "'"
                    + NearestName.hint(fieldName, byName.keySet()));
        }
        return codec;
    }

    /**
     * Returns all values by field name, in the order of the schema. Each has its
     * {@link io.millrace.schema.FieldType#javaType} and is null if absent.
     *
     * @param record offset of the record's first byte
     * @throws FieldValueException if the bytes of a field are not a valid value of its type
     */
    public Map<String, @Nullable Object> decode(byte[] bytes, int record) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (FieldCodec codec : codecs) {
            values.put(codec.field().name(), codec.value(bytes, record));
        }
        return values;
    }
}
