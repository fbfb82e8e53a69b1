package io.millrace.table;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table of a file as one pipeline reads it: its rows stay the same until the pipeline pins others, although the file
 * is reloaded meanwhile. One thread at a time pins; any thread may read.
 */
public final class PinnedTable {

    private final ServedTable table;
    private volatile PackedTable pinned;

    /** Pins the rows that are served now. */
    public PinnedTable(ServedTable table) {
        this.table = table;
        this.pinned = table.served();
    }

    /** Returns the rows that were loaded last. */
    public PackedTable served() {
        return table.served();
    }

    /** Returns the rows that are pinned. */
    public PackedTable pinned() {
        return pinned;
    }

    /** Pins rows, which readers use from their next lookup on. They have the schema of the table. */
    public void pin(PackedTable rows) {
        pinned = rows;
    }

    /** Returns a reader of the pinned rows, for one thread. */
    public TableReader reader() {
        return new PackedTableReader(() -> pinned);
    }

    /**
     * Returns rows of an earlier schema as rows of the table's present one. Fields that are not among the required ones
     * are absent if the earlier schema has no such field, or one of another type.
     *
     * @param required names of the fields that must have the same type
     * @return null if one of them, or the key, has another type
     */
    public @Nullable PackedTable converted(PackedTable rows, Collection<String> required) {
        PackedTable served = table.served();
        Schema schema = served.schema();
        String key = served.key().name();
        boolean usable = rows.key().name().equals(key)
                && isSame(rows, key, schema)
                && required.stream().allMatch(field -> isSame(rows, field, schema));
        if (!usable) {
            return null;
        }
        return rows.schema().fingerprint() == schema.fingerprint() ? rows : copied(rows, schema, key);
    }

    private PackedTable copied(PackedTable rows, Schema schema, String key) {
        byte[] absent = RowSchemas.absentRow(schema);
        TableBuilder builder = new TableBuilder(table.name(), table.status().source(), schema, key, null);
        try {
            rows.forEach(row -> {
                byte[] copy = absent.clone();
                for (Field field : schema.fields()) {
                    if (isSame(rows, field.name(), schema)) {
                        Field from = Objects.requireNonNull(rows.schema().field(field.name()));
                        System.arraycopy(row, from.offset(), copy, field.offset(), field.end() - field.offset());
                    }
                }
                add(builder, copy);
                return true;
            });
            return builder.build(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(TableBuilder builder, byte[] row) {
        try {
            builder.add(0, row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a field is stored in the same form in both schemas. */
    private static boolean isSame(PackedTable rows, String name, Schema schema) {
        Field from = rows.schema().field(name);
        Field to = schema.field(name);
        return from != null
                && to != null
                && from.type().equals(to.type())
                && from.optional() == to.optional()
                && from.nullRaw() == to.nullRaw()
                && from.nullFlag() == to.nullFlag()
                && from.end() - from.offset() == to.end() - to.offset();
    }
}
