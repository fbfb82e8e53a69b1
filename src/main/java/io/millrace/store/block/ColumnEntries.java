package io.millrace.store.block;

import io.millrace.store.block.ColumnDirectory.Entry;
import io.millrace.store.block.ColumnLayout.Column;
import io.millrace.store.block.ColumnLayout.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the directories of consecutive blocks, and checks that their columns lie inside the block and can be decoded.
 * Entries are in the order of the reader's {@link ColumnLayout}; if those of the block have ids, it can lack some of
 * them and have others. Not thread-safe; allocates only to grow, and for columns in another order.
 */
final class ColumnEntries {

    private static final int UNKNOWN = -1;

    private final ColumnLayout layout;
    private final List<Column> columns;
    private final Entry[] entries;
    private final boolean[] present;
    /** Index of the column of each entry of the block, or {@link #UNKNOWN}. */
    private int[] indexes = new int[0];

    ColumnEntries(ColumnLayout layout) {
        this.layout = layout;
        this.columns = layout.columns();
        entries = new Entry[columns.size()];
        Arrays.setAll(entries, _ -> new Entry());
        present = new boolean[columns.size()];
    }

    /** Returns the entry of a column; meaningful only if the block {@linkplain #has has} it. */
    Entry get(int index) {
        return entries[index];
    }

    /** Returns whether the block has a column. */
    boolean has(int index) {
        return present[index];
    }

    /** Returns whether the block has a column of the layout. */
    boolean hasAny() {
        for (boolean each : present) {
            if (each) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the directory of a block, whose header is already checked.
     *
     * @throws BlockFormatException if it is invalid
     */
    void read(Block block) {
        boolean withIds = block.encoding() == BlockFormat.COLUMNS_AND_RECORDS;
        int entryLength = ColumnDirectory.entryLength(block.encoding());
        int directoryLength = block.recordsAt() - BlockFormat.HEADER_LENGTH;
        if (!withIds) {
            BlockFormat.expect("directory", directoryLength, (long) columns.size() * entryLength);
        }
        int count = directoryLength / entryLength;
        if (indexes.length < count) {
            indexes = new int[count];
        }
        Arrays.fill(present, false);
        int columnAt = block.recordsAt();
        for (int i = 0; i < count; i++) {
            int entryAt = ColumnDirectory.at(i, block.encoding());
            int index = withIds ? layout.indexOf(ColumnDirectory.id(block.bytes(), entryAt), i) : i;
            indexes[i] = index;
            if (index == UNKNOWN) {
                columnAt += ColumnDirectory.columnLength(block.bytes(), entryAt);
            } else {
                entries[index].ordinal = i;
                columnAt = read(block, index, entryAt, columnAt);
            }
        }
        if (!withIds) {
            BlockFormat.expect("length", block.bytes().length, columnAt);
        }
        for (int i = 0; i < entries.length; i++) {
            if (present[i]) {
                checkPrediction(i, entries[i], count);
            }
        }
    }

    /** Reads an entry, and returns the offset past its column. */
    private int read(Block block, int index, int entryAt, int columnAt) {
        if (present[index]) {
            throw invalid("entry", index, "the directory has two");
        }
        Entry entry = entries[index];
        entry.read(block.bytes(), entryAt);
        entry.at = columnAt;
        check(index, entry, block);
        present[index] = true;
        return columnAt + entry.length;
    }

    private void check(int index, Entry entry, Block block) {
        Column column = columns.get(index);
        boolean number = column.kind() != Kind.BYTES;
        boolean known = switch (entry.encoding) {
            case ColumnDirectory.RAW -> entry.width == 0;
            case ColumnDirectory.FRAME -> number;
            case ColumnDirectory.DICTIONARY -> !number || Packed.isWidth(entry.power);
            case ColumnDirectory.SCALED ->
                column.kind() == Kind.REAL && entry.power >= 0 && entry.power <= PowerOfTen.LARGEST;
            default -> false;
        };
        if (!known || !Packed.isWidth(entry.width)) {
            throw invalid("encoding", index, entry.encoding + " of width " + entry.width);
        }
        boolean dictionary = entry.encoding == ColumnDirectory.DICTIONARY;
        if (entry.entries < 0 || dictionary == (entry.entries == 0)) {
            throw invalid("number of entries", index, String.valueOf(entry.entries));
        }
        if (entry.hasAbsent() && (!column.hasAbsent() || entry.encoding == ColumnDirectory.RAW || dictionary)) {
            throw invalid("flags", index, "an absent value, which the column can't have");
        }
        long dictionaryLength = !dictionary
                ? 0
                : number ? Packed.length(entry.power, entry.entries) : (long) entry.entries * column.bytes();
        long codes = entry.encoding == ColumnDirectory.RAW
                ? (long) block.count() * column.bytes()
                : Packed.length(entry.width, block.count());
        if (entry.length != dictionaryLength + codes || entry.length > block.bytes().length - entry.at) {
            throw invalid("length", index, String.valueOf(entry.length));
        }
        entry.codesAt = entry.at + (int) dictionaryLength;
    }

    /**
     * Checks that a column is predicted only from columns that are not themselves predicted from others. Without one of
     * those, the block does not have the column for this reader.
     */
    private void checkPrediction(int index, Entry entry, int count) {
        boolean right = switch (entry.prediction) {
            case ColumnDirectory.NONE -> true;
            case ColumnDirectory.INDEX -> entry.encoding == ColumnDirectory.FRAME;
            case ColumnDirectory.COLUMN -> entry.encoding == ColumnDirectory.FRAME && entry.first < count;
            case ColumnDirectory.PRODUCT ->
                entry.encoding == ColumnDirectory.FRAME
                        && entry.power >= 0
                        && entry.power <= PowerOfTen.LARGEST
                        && entry.first < count
                        && entry.second < count;
            default -> false;
        };
        if (!right) {
            throw invalid("prediction", index, String.valueOf(entry.prediction));
        }
        if (entry.prediction >= ColumnDirectory.COLUMN) {
            entry.first = operand(index, entry.first);
        }
        if (entry.prediction == ColumnDirectory.PRODUCT) {
            entry.second = operand(index, entry.second);
        }
    }

    /** Returns the index of the column of an entry that a column is predicted from. */
    private int operand(int index, int ordinal) {
        int operand = indexes[ordinal];
        if (operand == UNKNOWN) {
            present[index] = false;
        } else if (columns.get(operand).kind() == Kind.BYTES || entries[operand].prediction > ColumnDirectory.INDEX) {
            throw invalid("prediction", index, "from column " + operand);
        }
        return operand;
    }

    /** Returns an error in a column. */
    static BlockFormatException invalid(String what, int column, String value) {
        return new BlockFormatException("Invalid " + what + " of column " + column + " of the block: " + value + ".");
    }
}
