package io.millrace.store.region;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a region.
 *
 * @param name of the region
 * @param layout of its records
 * @param copies number of redundant copies of each value on other members
 * @param persistent whether values are also on disk
 * @param schema of the stored records; fields that were once added count as any other
 * @param keyFields entries: the fields whose values are the {@linkplain EntryKey key}, at least one; blocks: the field
 *     whose range each block contains, if any
 * @param remove entries: a condition; a record for which it holds removes the entry of its key. Null if all are put
 * @param latest entries: a field; a record with an earlier value does not replace one of its key with a later value.
 *     Null if the record that arrives last replaces the others
 * @param blockRecords blocks: number of records of a full block
 * @param encoding blocks: encoding of their records; blocks that are already stored may have another one
 * @param retention of the records
 * @param memory location of the values while the region is open
 * @param history earlier versions of the schema with which stored records may have been written, oldest first
 */
public record RegionDefinition(
        String name,
        Layout layout,
        int copies,
        boolean persistent,
        Schema schema,
        List<String> keyFields,
        @Nullable String remove,
        @Nullable String latest,
        int blockRecords,
        BlockEncoding encoding,
        Retention retention,
        Memory memory,
        List<SchemaDescription> history)
        implements Serializable {

    /** Most redundant copies of a value. */
    public static final int MAX_COPIES = 3;

    /** Default number of records in a full block. */
    public static final int DEFAULT_BLOCK_RECORDS = 4096;

    /** Size in bytes at which a block of records of the same length is full, whatever their number. */
    private static final int FULL_BLOCK_BYTES = 4 << 20;

    /** Maximum size in bytes of a block, which is written, checked and sent as one value. */
    public static final int MAX_BLOCK_BYTES = 64 << 20;

    /** Maximum size in bytes of a block of several records that vary in length, without the columns next to these. */
    public static final int MAX_VARIED_BLOCK_BYTES = 1 << 20;

    /** Maximum size in bytes of the columns next to the records of a block. */
    public static final int MAX_COLUMN_BYTES = MAX_BLOCK_BYTES / 2;

    public RegionDefinition {
        RegionNames.requireValid(name);
        keyFields = List.copyOf(keyFields);
        history = List.copyOf(history);
        if (schema.baseLength() != schema.recordLength()) {
            schema = schema.stored();
        }
        if (copies < 0 || copies > MAX_COPIES) {
            throw new IllegalArgumentException(
                    "Invalid redundant-copies '" + copies + "' of region '" + name + "'. Use 0 to " + MAX_COPIES + ".");
        }
        for (String field : keyFields) {
            if (schema.field(field) == null) {
                throw new IllegalArgumentException("Unknown key '" + field + "' of region '" + name + "' in schema '"
                        + schema.name() + "'" + NearestName.hint(field, schema.names()));
            }
        }
        StoredForm form = StoredForms.of(schema);
        if (encoding == BlockEncoding.COLUMNS) {
            requireColumns(name, layout, form, schema);
        }
        if (layout == Layout.ENTRIES) {
            EntryKey.requireAble(name, schema, keyFields);
            requireOrder(name, schema, latest, remove, copies);
        } else {
            requireBlocks(name, form, keyFields, remove, latest, blockRecords);
        }
        requireRetainable(
                name, layout, retention, form.fullBlockBytes(schema, fullBlockRecords(form, blockRecords), encoding));
    }

    /**
     * Creates a definition of a region whose records all have the same version of the schema, in no order of a field.
     */
    public RegionDefinition(
            String name,
            Layout layout,
            int copies,
            boolean persistent,
            Schema schema,
            List<String> keyFields,
            @Nullable String remove,
            int blockRecords,
            BlockEncoding encoding,
            Retention retention,
            Memory memory) {
        this(
                name,
                layout,
                copies,
                persistent,
                schema,
                keyFields,
                remove,
                null,
                blockRecords,
                encoding,
                retention,
                memory,
                List.of());
    }

    /** Creates a definition of a region with unlimited retention, on the heap. */
    public RegionDefinition(
            String name,
            Layout layout,
            int copies,
            boolean persistent,
            Schema schema,
            List<String> keyFields,
            @Nullable String remove,
            int blockRecords,
            BlockEncoding encoding) {
        this(
                name,
                layout,
                copies,
                persistent,
                schema,
                keyFields,
                remove,
                blockRecords,
                encoding,
                Retention.FOREVER,
                Memory.HEAP);
    }

    /** Creates a definition of a region whose blocks, if it has any, contain rows. */
    public RegionDefinition(
            String name,
            Layout layout,
            int copies,
            boolean persistent,
            Schema schema,
            List<String> keyFields,
            @Nullable String remove,
            int blockRecords) {
        this(name, layout, copies, persistent, schema, keyFields, remove, blockRecords, BlockEncoding.ROWS);
    }

    /** Creates a definition of a region in which no record removes another, and blocks contain rows. */
    public RegionDefinition(
            String name,
            Layout layout,
            int copies,
            boolean persistent,
            Schema schema,
            List<String> keyFields,
            int blockRecords) {
        this(name, layout, copies, persistent, schema, keyFields, null, blockRecords);
    }

    private static void requireColumns(String name, Layout layout, StoredForm form, Schema schema) {
        if (layout != Layout.BLOCKS) {
            throw new IllegalArgumentException(
                    "Invalid encoding 'columns' of region '" + name + "'. Use rows, or 'layout: blocks'.");
        }
        if (schema.fields().stream().noneMatch(form::hasColumn)) {
            throw new IllegalArgumentException("Invalid encoding 'columns' of region '" + name
                    + "'. Use rows: no field of schema '" + schema.name()
                    + "' can be a column, which is single and has at most 8 bytes.");
        }
    }

    private static void requireOrder(
            String name, Schema schema, @Nullable String latest, @Nullable String remove, int copies) {
        if (latest == null) {
            return;
        }
        Field field = schema.field(latest);
        if (field == null) {
            throw new IllegalArgumentException("Unknown field '" + latest + "' for 'latest' of region '" + name
                    + "' in schema '" + schema.name() + "'" + NearestName.hint(latest, schema.names()));
        }
        boolean ordered = switch (field.type()) {
            case FieldType.IntegerType _, FieldType.DecimalType _, FieldType.DateType _, FieldType.InstantType _ ->
                !field.optional();
            default -> false;
        };
        if (!ordered) {
            throw new IllegalArgumentException("Invalid field '" + latest + "' for 'latest' of region '" + name
                    + "'. Use a required integer, decimal, date or instant.");
        }
        if (copies > 1) {
            throw new IllegalArgumentException("Invalid redundant-copies '" + copies + "' of region '" + name
                    + "' with 'latest'. Use 0 or 1: of several copies, one could receive an older record when a server"
                    + " fails.");
        }
        if (remove != null) {
            throw new IllegalArgumentException("Region '" + name + "' has both 'latest' and 'remove'. Use one of them:"
                    + " after a removal, nothing is stored that an older record could be compared with.");
        }
    }

    /** Returns the number of records in a full block: less than {@link #blockRecords} if they are long. */
    public int fullBlockRecords() {
        return fullBlockRecords(StoredForms.of(schema), blockRecords);
    }

    private static int fullBlockRecords(StoredForm form, int blockRecords) {
        return form.length().isPresent()
                ? Math.max(1, Math.min(FULL_BLOCK_BYTES / form.length().getAsInt(), blockRecords))
                : blockRecords;
    }

    private static void requireBlocks(
            String name,
            StoredForm form,
            List<String> keyFields,
            @Nullable String remove,
            @Nullable String latest,
            int blockRecords) {
        if (keyFields.size() > 1) {
            throw new IllegalArgumentException(
                    "Too many keys " + keyFields + " of region '" + name + "'. Use one field with 'layout: blocks'.");
        }
        if (remove != null) {
            throw new IllegalArgumentException("'remove' has no effect in region '" + name
                    + "', whose records have no key. Use 'layout: entries', or remove it.");
        }
        if (latest != null) {
            throw new IllegalArgumentException("'latest' has no effect in region '" + name
                    + "', whose records have no key. Use 'layout: entries', or remove it.");
        }
        // Records that vary in length may have no bytes of a common length. If they are long, a block is full before.
        int maximum = Math.max(DEFAULT_BLOCK_RECORDS, MAX_BLOCK_BYTES / Math.max(1, form.commonLength()));
        if (blockRecords < 1 || blockRecords > maximum) {
            throw new IllegalArgumentException(
                    "Invalid block-records '" + blockRecords + "' of region '" + name + "'. Use 1 to " + maximum + ".");
        }
    }

    private static void requireRetainable(String name, Layout layout, Retention retention, long blockBytes) {
        Long bytes = retention.bytes();
        if (bytes != null && layout == Layout.ENTRIES) {
            throw new IllegalArgumentException("'retain.size' has no effect in region '" + name
                    + "'. Use 'layout: blocks', or 'retain.age' or 'remove'.");
        }
        if (bytes != null && bytes < blockBytes) {
            throw new IllegalArgumentException("Invalid retain.size '" + bytes + "B' of region '" + name
                    + "'. Use at least " + blockBytes + "B, the size of a full block.");
        }
    }

    /** Returns the same definition without the properties on which members may differ: the retention. */
    public RegionDefinition shared() {
        return with(schema, keyFields, remove, latest, Retention.FOREVER, history);
    }

    /** Returns the same definition with other earlier versions of the schema, oldest first. */
    public RegionDefinition withHistory(List<SchemaDescription> versions) {
        return with(schema, keyFields, remove, latest, retention, versions);
    }

    /**
     * Returns the definition with another version of the schema.
     *
     * @param key fields of that version, as {@link #keyFields()}
     * @param condition on its fields, as {@link #remove()}
     * @param order field of that version, as {@link #latest()}
     * @param versions earlier versions, oldest first
     */
    public RegionDefinition withVersion(
            Schema version,
            List<String> key,
            @Nullable String condition,
            @Nullable String order,
            List<SchemaDescription> versions) {
        return with(version, key, condition, order, retention, versions);
    }

    private RegionDefinition with(
            Schema version,
            List<String> key,
            @Nullable String condition,
            @Nullable String order,
            Retention retained,
            List<SchemaDescription> versions) {
        return new RegionDefinition(
                name,
                layout,
                copies,
                persistent,
                version,
                key,
                condition,
                order,
                blockRecords,
                encoding,
                retained,
                memory,
                versions);
    }

    /** Returns, for blocks, the field whose range each of them contains, or null if there is none. */
    public @Nullable Field rangeField() {
        return keyFields.isEmpty() ? null : schema.field(keyFields.getFirst());
    }
}
