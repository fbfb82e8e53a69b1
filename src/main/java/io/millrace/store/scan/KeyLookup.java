package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockVersions;
import io.millrace.store.block.StoredCondition;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.RegionDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record of a key in blocks: the last one, if there are several. Skips blocks whose range excludes the key;
 * of columns, reads only that of the key. Not thread-safe.
 */
public final class KeyLookup {

    private final Schema schema;
    private final Field key;
    /** A row that contains the key in its field. */
    private final byte[] keyRow;

    private final List<StoredCondition> tests;
    private final BlockVersions versions;
    private final StoredBatch stored;

    private KeyLookup(BlockVersions versions, Schema schema, Field key, byte[] keyRow) {
        this.versions = versions;
        this.schema = schema;
        this.key = key;
        this.keyRow = keyRow;
        this.tests =
                FieldCondition.able(key) ? List.of(StoredCondition.of(FieldCondition.same(key, keyRow))) : List.of();
        this.stored = StoredBatches.of(schema, new EncodedQuery(tests, null, Set.of(key.name()), Set.of(key.name())));
    }

    /**
     * Returns a lookup in a region of blocks.
     *
     * @param text the key, in the format of text files
     * @throws io.millrace.codec.FieldValueException if it is not a value of the field
     * @throws StoreException if the region's blocks have no key
     */
    public static KeyLookup of(RegionDefinition region, String text) {
        Field field = region.rangeField();
        if (field == null) {
            throw new StoreException(
                    "Region '" + region.name() + "' has no key. Use a query, or set 'key' of the region.");
        }
        Schema schema = region.schema().project(Set.of(field.name()));
        Field key = Objects.requireNonNull(schema.field(field.name()));
        byte[] keyRow = new byte[schema.recordLength()];
        RecordCodec.of(schema).codec(key.name()).setText(keyRow, 0, text);
        return new KeyLookup(BlockVersions.of(region, schema), schema, key, keyRow);
    }

    /**
     * Returns the last record of a block that has the key.
     *
     * @param blockKey of the block
     * @param checks of the region's blocks
     * @return its {@linkplain io.millrace.store.region.StoredForm stored form}, or null if there is none
     * @throws io.millrace.store.block.BlockFormatException if the value is not a block, or corrupt
     */
    public byte @Nullable [] find(long blockKey, byte[] value, BlockChecks checks) {
        Block block = versions.peek(value, checks.of(blockKey, value));
        boolean excluded =
                versions.hasRangeOf(block, key.name()) && tests.stream().anyMatch(block::excludes);
        // Unreadable records have no key.
        if (excluded || !stored.show(versions.newest(block), (_, _, _) -> {})) {
            return null;
        }
        RecordBatch batch = stored.batch();
        for (int i = batch.selected() - 1; i >= 0; i--) {
            if (hasKey(batch, batch.selection()[i])) {
                return stored.copy(i);
            }
        }
        return null;
    }

    private boolean hasKey(RecordBatch batch, int ordinal) {
        boolean added = schema.isAdded(key);
        byte[] bytes = added ? batch.added() : batch.bytes();
        int row = added ? batch.addedOffset(ordinal) - schema.baseLength() : batch.offset(ordinal);
        return tests.isEmpty() ? sameBytes(bytes, row) : tests.getFirst().test().holdsFor(bytes, row);
    }

    private boolean sameBytes(byte[] bytes, int row) {
        return Arrays.equals(bytes, row + key.offset(), row + key.end(), keyRow, key.offset(), key.end());
    }
}
