package io.millrace.table;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reference data: rows of one schema, found by a whole number. Immutable, so safe for use by many threads; finding a
 * row allocates nothing.
 *
 * <p>Rows lie back to back in one array. Row 0 stands for "no such key": every field of it is absent, so that whoever
 * copies fields out of a row need not ask. Keys that lie close together are found by direct addressing, others by
 * hashing.
 */
public final class Table {

    /** The row whose every field is absent. */
    public static final int NO_ROW = 0;

    /** Direct addressing is used while it wastes at most this many times the number of rows. */
    private static final int MAX_SPREAD = 4;

    private final String name;
    private final Schema schema;
    private final Field key;
    private final byte[] rows;
    private final int size;
    private final long smallestKey;
    private final int @Nullable [] rowByKey;
    private final @Nullable Long2IntMap rowByHash;

    /**
     * @param name of the table
     * @param schema of the rows; all fields but the key must be optional
     * @param key field that holds the key
     * @param rows row 0 with every field absent, then the others, back to back; not copied
     * @param keys key of each row from row 1 on, all different
     */
    Table(String name, Schema schema, Field key, byte[] rows, long[] keys) {
        this.name = name;
        this.schema = schema;
        this.key = key;
        this.rows = rows;
        this.size = keys.length;
        long smallest = Arrays.stream(keys).min().orElse(0);
        long largest = Arrays.stream(keys).max().orElse(0);
        this.smallestKey = smallest;
        long spread = largest - smallest + 1;
        if (spread > 0 && spread <= (long) MAX_SPREAD * Math.max(size, 1)) {
            int[] direct = new int[(int) spread];
            for (int row = 1; row <= size; row++) {
                direct[(int) (keys[row - 1] - smallest)] = row;
            }
            rowByKey = direct;
            rowByHash = null;
        } else {
            Long2IntOpenHashMap hashed = new Long2IntOpenHashMap(size);
            for (int row = 1; row <= size; row++) {
                hashed.put(keys[row - 1], row);
            }
            rowByKey = null;
            rowByHash = hashed;
        }
    }

    public String name() {
        return name;
    }

    /** Schema of the rows; every field but the key is optional. */
    public Schema schema() {
        return schema;
    }

    /** The field that rows are found by. */
    public Field key() {
        return key;
    }

    /** How many rows there are, the absent one not counted. */
    public int size() {
        return size;
    }

    /** The rows, back to back, the absent one first. */
    public byte[] rows() {
        return rows;
    }

    /** The row of this key, or {@link #NO_ROW}. */
    public int find(long keyValue) {
        if (rowByKey != null) {
            long index = keyValue - smallestKey;
            return index >= 0 && index < rowByKey.length ? rowByKey[(int) index] : NO_ROW;
        }
        return rowByHash == null ? NO_ROW : rowByHash.get(keyValue);
    }
}
