package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import org.apiguardian.api.API;

/**
 * A field of the records of batches: its codec, and where a record's value is. In the fixed layout, the fields of the
 * feed's records are in {@link RecordBatch#bytes()}, and those that steps add are in {@link RecordBatch#added()}. In
 * other layouts, all fields are in the latter, and values that are written there reach later steps but not regions.
 *
 * <p>Immutable, so safe for use by many threads, each with its own batch. Allocates nothing after its creation.
 *
 * @param <C> type of the codec
 */
@API(status = API.Status.STABLE)
public final class BatchField<C extends FieldCodec> {

    private final C codec;
    private final boolean added;

    private BatchField(C codec, boolean added) {
        this.codec = codec;
        this.added = added;
    }

    /**
     * Returns the field of a name.
     *
     * @param schema schema of the batches, or the part of it that earlier steps have made
     * @param codec type of the field's codec, such as {@link StringCodec}
     * @throws IllegalArgumentException if the schema has no such field, or one with another codec
     */
    public static <C extends FieldCodec> BatchField<C> of(Schema schema, String name, Class<C> codec) {
        Field field = schema.field(name);
        if (field == null) {
            throw new IllegalArgumentException(
                    "Unknown field '" + name + "' in schema '" + schema.name() + "'. Use the name of a field.");
        }
        boolean added = field.offset() >= schema.baseLength();
        FieldCodec found = FieldCodecs.of(added ? field.at(field.offset() - schema.baseLength()) : field);
        if (!codec.isInstance(found)) {
            throw new IllegalArgumentException("Invalid type of field '" + name + "': "
                    + field.type().describe() + ". Use a field whose codec is " + codec.getSimpleName() + ".");
        }
        return new BatchField<>(codec.cast(found), added);
    }

    /** Returns the codec, which reads and writes the value in {@link #bytes} at {@link #offset}. */
    public C codec() {
        return codec;
    }

    /** Returns the array that contains the values of a batch. */
    public byte[] bytes(RecordBatch batch) {
        return added ? batch.added() : batch.bytes();
    }

    /** Returns the offset to pass to the codec for a record. */
    public int offset(RecordBatch batch, int ordinal) {
        return added ? batch.addedOffset(ordinal) : batch.offset(ordinal);
    }
}
