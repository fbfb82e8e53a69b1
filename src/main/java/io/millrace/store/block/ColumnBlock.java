package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.expression.range.FieldCondition;
import io.millrace.store.block.ColumnDirectory.Entry;
import io.millrace.store.block.ColumnLayout.Column;
import io.millrace.store.block.ColumnLayout.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads consecutive blocks of columns in place: whole columns and single numbers. A column is checked when it is first
 * read, so that columns that are not read cost nothing. Whatever the bytes contain, nothing outside of them is read,
 * and every error in them is a {@link BlockFormatException}.
 *
 * <p>Not thread-safe; allocates only to grow.
 */
public final class ColumnBlock {

    private static final long LOWEST = FieldCondition.orderOf(Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));
    private static final long HIGHEST = FieldCondition.orderOf(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
    private static final long NOT_A_NUMBER = FieldCondition.orderOf(Double.doubleToLongBits(Double.NaN));

    private final ColumnLayout layout;
    private final List<Column> columns;
    private final ColumnEntries entries;
    private final boolean[] checked;
    private @Nullable Block block;
    private byte[] bytes = new byte[0];
    private int count;
    private long[] numbers = new long[0];

    /** Creates a view of no block yet. */
    public ColumnBlock(ColumnLayout layout) {
        this.layout = layout;
        this.columns = layout.columns();
        entries = new ColumnEntries(layout);
        checked = new boolean[columns.size()];
    }

    /** Returns the number of records of the block. */
    int count() {
        return count;
    }

    /**
     * Switches to another block, whose header is already checked.
     *
     * @throws BlockFormatException if its directory is invalid
     */
    public ColumnBlock show(Block shown) {
        block = shown;
        bytes = block.bytes();
        count = block.count();
        Arrays.fill(checked, false);
        entries.read(block);
        return this;
    }

    /** Returns whether the block has any column of the layout, and so contains only records that are readable. */
    public boolean hasAny() {
        return entries.hasAny();
    }

    /** Returns whether the block has some columns. One that it lacks must not be read. */
    public boolean has(int... indexes) {
        for (int index : indexes) {
            if (!entries.has(index)) {
                return false;
            }
        }
        return true;
    }

    /** Checks a column, and those from which it is predicted, unless already checked. */
    void require(int index) {
        if (!checked[index]) {
            Entry entry = entries.get(index);
            Objects.requireNonNull(block).checkColumn(entry);
            checked[index] = true;
            if (entry.prediction >= ColumnDirectory.COLUMN) {
                require(entry.first);
            }
            if (entry.prediction == ColumnDirectory.PRODUCT) {
                require(entry.second);
            }
        }
    }

    /**
     * Checks all columns that the block has.
     *
     * @throws BlockFormatException naming the error
     */
    void checkAll() {
        for (int i = 0; i < columns.size(); i++) {
            if (!entries.has(i)) {
                continue;
            }
            require(i);
            Entry entry = entries.get(i);
            if (entry.encoding == ColumnDirectory.DICTIONARY) {
                for (int record = 0; record < count; record++) {
                    entryOf(i, entry, record);
                }
            }
        }
    }

    /** Returns the ordinal of a record's entry in the dictionary. */
    private int entryOf(int index, Entry entry, int record) {
        long code = Packed.get(bytes, entry.codesAt, entry.width, record);
        if (code >= entry.entries) {
            throw ColumnEntries.invalid("code", index, code + ", of " + entry.entries + " entries");
        }
        return (int) code;
    }

    /** Returns the number of a dictionary's entry. */
    long dictionaryNumber(Entry entry, int ordinal) {
        return entry.coded(Packed.get(bytes, entry.at, entry.power, ordinal));
    }

    /** Returns the prediction for a record's number. */
    private long predicted(Entry entry, int record) {
        return switch (entry.prediction) {
            case ColumnDirectory.INDEX -> entry.step * record;
            case ColumnDirectory.COLUMN -> coded(entry.first, record);
            case ColumnDirectory.PRODUCT ->
                PowerOfTen.of(entry.power).product(coded(entry.first, record), coded(entry.second, record));
            default -> 0;
        };
    }

    /** Returns the coded number, from which others are predicted. */
    private long coded(int index, int record) {
        Entry entry = entries.get(index);
        return entry.encoding == ColumnDirectory.SCALED
                ? entry.coded(Packed.get(bytes, entry.codesAt, entry.width, record))
                : number(index, record);
    }

    /** Returns a record's number in a column of numbers that is {@linkplain #require checked}. */
    long number(int index, int record) {
        Entry entry = entries.get(index);
        Column column = columns.get(index);
        return switch (entry.encoding) {
            case ColumnDirectory.RAW ->
                order(column, RawBytes.get(bytes, entry.codesAt + record * column.bytes(), column.storage()));
            case ColumnDirectory.DICTIONARY -> dictionaryNumber(entry, entryOf(index, entry, record));
            default -> {
                long code = Packed.get(bytes, entry.codesAt, entry.width, record);
                yield code == 0 && entry.hasAbsent() ? column.absent() : present(entry, code, record);
            }
        };
    }

    /** Returns the number for a code of a frame or scaled column. */
    private long present(Entry entry, long code, int record) {
        return entry.encoding == ColumnDirectory.SCALED
                ? PowerOfTen.of(entry.power).order(entry.coded(code))
                : entry.coded(code) + predicted(entry, record);
    }

    private static long order(Column column, long raw) {
        return column.kind() == Kind.REAL ? FieldCondition.orderOf(raw) : raw;
    }

    /**
     * Writes a column of some records into rows of the layout.
     *
     * @param ordinals of the records, ascending; the first {@code recordCount} are used
     * @param rows records of the schema's length, from index 0 on
     */
    public void write(int index, int[] ordinals, int recordCount, byte[] rows) {
        write(index, ordinals, recordCount, rows, columns.get(index).at(), layout.recordLength());
    }

    /**
     * Writes a column of some records into rows of any layout.
     *
     * @param ordinals of the records, ascending; the first {@code recordCount} are used
     * @param rowsAt offset of the column in the first row
     * @param stride length of a row
     */
    public void write(int index, int[] ordinals, int recordCount, byte[] rows, int rowsAt, int stride) {
        require(index);
        Column column = columns.get(index);
        if (column.kind() == Kind.BYTES) {
            for (int i = 0; i < recordCount; i++) {
                System.arraycopy(bytes, bytesAt(index, ordinals[i]), rows, rowsAt + i * stride, column.bytes());
            }
            return;
        }
        if (numbers.length < recordCount) {
            numbers = new long[Math.max(recordCount, 2 * numbers.length)];
        }
        numbers(index, ordinals, recordCount, numbers);
        for (int i = 0, at = rowsAt; i < recordCount; i++, at += stride) {
            put(column, numbers[i], rows, at);
        }
    }

    /** Returns the offset of the bytes of a record. */
    private int bytesAt(int index, int record) {
        Entry entry = entries.get(index);
        int width = columns.get(index).bytes();
        return entry.encoding == ColumnDirectory.DICTIONARY
                ? entry.at + entryOf(index, entry, record) * width
                : entry.codesAt + record * width;
    }

    private static void put(Column column, long number, byte[] row, int at) {
        RawBytes.put(row, at, column.storage(), order(column, number));
    }

    /** Reads the numbers of some records in a column of numbers that is {@linkplain #require checked}. */
    private void numbers(int index, int[] ordinals, int recordCount, long[] into) {
        Entry entry = entries.get(index);
        boolean frame = entry.encoding == ColumnDirectory.FRAME && entry.prediction == ColumnDirectory.NONE;
        if (entry.hasAbsent() || !(frame || entry.encoding == ColumnDirectory.SCALED)) {
            for (int i = 0; i < recordCount; i++) {
                into[i] = number(index, ordinals[i]);
            }
            return;
        }
        if (recordCount == count) {
            Packed.getAll(bytes, entry.codesAt, entry.width, count, into);
        } else {
            Packed.getSome(bytes, entry.codesAt, entry.width, ordinals, recordCount, into);
        }
        if (frame) {
            for (int i = 0; i < recordCount; i++) {
                into[i] += entry.base;
            }
        } else {
            PowerOfTen ten = PowerOfTen.of(entry.power);
            for (int i = 0; i < recordCount; i++) {
                into[i] = ten.order(entry.coded(into[i]));
            }
        }
    }

    /**
     * Reads sort keys of some records for a column that is a field: absent values first, NaN last.
     *
     * @param ordinals of the records, ascending; the first {@code recordCount} are used
     */
    public void keys(int index, int[] ordinals, int recordCount, long[] into) {
        require(index);
        numbers(index, ordinals, recordCount, into);
        Column column = columns.get(index);
        boolean real = column.kind() == Kind.REAL;
        if (!real && !column.hasAbsent()) {
            return;
        }
        for (int i = 0; i < recordCount; i++) {
            if (column.hasAbsent() && into[i] == column.absent()) {
                into[i] = Long.MIN_VALUE;
            } else if (real && (into[i] < LOWEST || into[i] > HIGHEST)) {
                into[i] = NOT_A_NUMBER;
            }
        }
    }

    /** Returns whether all present numbers of a column lie between two bounds, both inclusive. */
    public boolean within(int index, long low, long high) {
        Entry entry = entries.get(index);
        return entry.hasRange() && entry.min >= low && entry.max <= high;
    }

    /** Returns the directory entry of a column. */
    Entry entry(int index) {
        return entries.get(index);
    }

    /** Returns the block's bytes. */
    byte[] bytes() {
        return bytes;
    }
}
