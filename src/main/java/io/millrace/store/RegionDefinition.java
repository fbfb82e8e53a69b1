package io.millrace.store;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a region shall be.
 *
 * @param name of the region
 * @param layout how it keeps records
 * @param copies how many more members keep each value
 * @param persistent whether it is kept on disk too
 * @param schema of the stored records; fields once added count as any other
 * @param keyField entries: the field whose value is the key, required; blocks: the field whose range each block tells,
 *     if any
 * @param blockRecords blocks: records of a full one
 */
public record RegionDefinition(
        String name,
        Layout layout,
        int copies,
        boolean persistent,
        Schema schema,
        @Nullable String keyField,
        int blockRecords) {

    /** Records of a full block unless a definition says otherwise. */
    public static final int DEFAULT_BLOCK_RECORDS = 4096;

    /** Largest value, in bytes, that a block may become: it is written, checked and sent as one. */
    public static final int MAX_BLOCK_BYTES = 64 << 20;

    public RegionDefinition {
        if (schema.baseLength() != schema.recordLength()) {
            schema = schema.stored();
        }
        if (copies < 0 || copies > 3) {
            throw new IllegalArgumentException("region=" + name + " copies=" + copies + " is not between 0 and 3");
        }
        if (keyField == null ? layout == Layout.ENTRIES : schema.field(keyField) == null) {
            throw new IllegalArgumentException(
                    "region=" + name + " key=" + keyField + " is no stored field of schema " + schema.name());
        }
        if (layout == Layout.BLOCKS
                && (blockRecords < 1 || (long) blockRecords * schema.recordLength() > MAX_BLOCK_BYTES)) {
            throw new IllegalArgumentException("region=" + name + " blockRecords=" + blockRecords + " of "
                    + schema.recordLength() + " bytes is not between 1 record and " + MAX_BLOCK_BYTES + " bytes");
        }
    }

    /** The key's field, or null where blocks have none. */
    public @Nullable Field key() {
        return keyField == null ? null : schema.field(keyField);
    }
}
