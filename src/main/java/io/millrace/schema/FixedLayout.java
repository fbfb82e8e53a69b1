package io.millrace.schema;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The <em>fixed</em> layout: every field has an offset in the record, and all records have the same length. Immutable.
 */
public final class FixedLayout extends RecordLayout {

    public static final String NAME = "fixed";

    /** Maximum length of a record in bytes. */
    public static final int MAX_LENGTH = 1 << 20;

    private static final long serialVersionUID = 1;

    private final int recordLength;
    private final List<Field> fields;

    /**
     * @param recordLength length of a record in bytes
     * @param fields fields in display order
     */
    FixedLayout(int recordLength, List<Field> fields) {
        this.recordLength = recordLength;
        this.fields = List.copyOf(fields);
    }

    private Object writeReplace() {
        return new Written(recordLength, fields);
    }

    private record Written(int recordLength, List<Field> fields) implements Serializable {
        private Object readResolve() {
            return new FixedLayout(recordLength, fields);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean variesInLength() {
        return false;
    }

    @Override
    public int maxLength() {
        return MAX_LENGTH;
    }

    @Override
    public @Nullable String path(String field) {
        return null;
    }

    @Override
    List<String> outerNames(Schema schema) {
        return schema.fields().stream().map(Field::name).toList();
    }

    @Override
    Schema schema(String schemaName, List<VirtualField> virtualFields) {
        return new Schema(schemaName, this, recordLength, fields, virtualFields);
    }

    @Override
    Schema project(Schema schema, Set<String> wanted) {
        return schema;
    }

    @Override
    Schema stored(Schema schema) {
        return new Schema(
                schema.name(),
                schema.recordLength(),
                List.copyOf(schema.fields()),
                List.copyOf(schema.virtualFields()));
    }

    @Override
    public String toString() {
        return NAME;
    }
}
