package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.FieldCondition;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record of a key in blocks: the last one, where there are several. Blocks whose range leaves the key out are
 * not looked at; in columns only that of the key is. Not thread-safe.
 */
public final class KeyLookup {

    private final Schema schema;
    private final Field key;
    /** A row that holds the key at its place. */
    private final byte[] sought;

    private final List<StoredCondition> tests;
    private final StoredBatch stored;

    private KeyLookup(Schema schema, Field key, byte[] sought) {
        this.schema = schema;
        this.key = key;
        this.sought = sought;
        this.tests =
                FieldCondition.able(key) ? List.of(StoredCondition.of(FieldCondition.same(key, sought))) : List.of();
        this.stored = StoredBatch.of(schema, new EncodedQuery(tests, null, Set.of(key.name()), Set.of(key.name())));
    }

    /**
     * A look-up in a region of blocks.
     *
     * @param text the key, in the form that text files give its field
     * @throws io.millrace.codec.FieldValueException where it is no value of the field
     * @throws StoreException where the region's blocks have no key
     */
    public static KeyLookup of(RegionDefinition region, String text) {
        Field field = region.rangeField();
        if (field == null) {
            throw new StoreException(
                    "region=" + region.name() + " keeps blocks without a key: name one, or use a query");
        }
        Schema schema = region.schema().project(Set.of(field.name()));
        Field key = Objects.requireNonNull(schema.field(field.name()));
        byte[] sought = new byte[schema.recordLength()];
        RecordCodec.of(schema).codec(key.name()).setText(sought, 0, text);
        return new KeyLookup(schema, key, sought);
    }

    /**
     * The last record of a block that has the key.
     *
     * @param blockKey of the block
     * @param checks of the region's blocks
     * @return its {@linkplain StoredForm stored form}, or null where there is none
     * @throws BlockFormatException where the value is no block, or damaged
     */
    public byte @Nullable [] find(long blockKey, byte[] value, BlockChecks checks) {
        Block block = Block.peek(value, schema, checks.of(blockKey, value));
        // Records that can't be read have no key.
        if (tests.stream().anyMatch(block::excludes) || !stored.show(block, (_, _, _) -> {})) {
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
        return Arrays.equals(bytes, row + key.offset(), row + key.end(), sought, key.offset(), key.end());
    }
}
