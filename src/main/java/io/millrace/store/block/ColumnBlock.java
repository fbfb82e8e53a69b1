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
    private final Entry[] entries;
    private final boolean[] checked;
    private @Nullable Block block;
    private byte[] bytes = new byte[0];
    private int count;
    private long[] numbers = new long[0];

    /** Creates a view of no block yet. */
    public ColumnBlock(ColumnLayout layout) {
        this.layout = layout;
        this.columns = layout.columns();
        entries = new Entry[columns.size()];
        Arrays.setAll(entries, _ -> new Entry());
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
        BlockFormat.expect(
                "directory",
                block.recordsAt() - BlockFormat.HEADER_LENGTH,
                (long) columns.size() * ColumnDirectory.ENTRY_LENGTH);
        int at = block.recordsAt();
        for (int i = 0; i < entries.length; i++) {
            Entry entry = entries[i];
            entry.read(bytes, ColumnDirectory.at(i));
            entry.at = at;
            check(i, entry);
            at += entry.length;
        }
        BlockFormat.expect("length", bytes.length, at);
        for (int i = 0; i < entries.length; i++) {
            checkPrediction(i, entries[i]);
        }
        return this;
    }

    private void check(int index, Entry entry) {
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
                ? (long) count * column.bytes()
                : Packed.length(entry.width, count);
        if (entry.length != dictionaryLength + codes || entry.length > bytes.length - entry.at) {
            throw invalid("length", index, String.valueOf(entry.length));
        }
        entry.codesAt = entry.at + (int) dictionaryLength;
    }

    /** Checks that columns are predicted only from columns that are not themselves predicted from others. */
    private void checkPrediction(int index, Entry entry) {
        boolean right = switch (entry.prediction) {
            case ColumnDirectory.NONE -> true;
            case ColumnDirectory.INDEX -> entry.encoding == ColumnDirectory.FRAME;
            case ColumnDirectory.COLUMN -> entry.encoding == ColumnDirectory.FRAME && isOperand(entry.first);
            case ColumnDirectory.PRODUCT ->
                entry.encoding == ColumnDirectory.FRAME
                        && entry.power >= 0
                        && entry.power <= PowerOfTen.LARGEST
                        && isOperand(entry.first)
                        && isOperand(entry.second);
            default -> false;
        };
        if (!right) {
            throw invalid("prediction", index, String.valueOf(entry.prediction));
        }
    }

    private boolean isOperand(int index) {
        return index < entries.length
                && columns.get(index).kind() != Kind.BYTES
                && entries[index].prediction <= ColumnDirectory.INDEX;
    }

    private static BlockFormatException invalid(String what, int column, String value) {
        return new BlockFormatException("Invalid " + what + " of column " + column + " of the block: " + value + ".");
    }

    /** Checks a column, and those from which it is predicted, unless already checked. */
    void require(int index) {
        if (!checked[index]) {
            Entry entry = entries[index];
            Objects.requireNonNull(block)
                    .checkPart(index, ColumnDirectory.crcAt(index), entry.at, entry.at + entry.length);
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
     * Checks all columns.
     *
     * @throws BlockFormatException naming the error
     */
    void checkAll() {
        for (int i = 0; i < entries.length; i++) {
            require(i);
            Entry entry = entries[i];
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
            throw invalid("code", index, code + ", of " + entry.entries + " entries");
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
        Entry entry = entries[index];
        return entry.encoding == ColumnDirectory.SCALED
                ? entry.coded(Packed.get(bytes, entry.codesAt, entry.width, record))
                : number(index, record);
    }

    /** Returns a record's number in a column of numbers that is {@linkplain #require checked}. */
    long number(int index, int record) {
        Entry entry = entries[index];
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
     * Writes a column of some records into rows.
     *
     * @param ordinals of the records, ascending; the first {@code recordCount} are used
     * @param rows records of the schema's length, from index 0 on
     */
    public void write(int index, int[] ordinals, int recordCount, byte[] rows) {
        require(index);
        Column column = columns.get(index);
        int stride = layout.recordLength();
        if (column.kind() == Kind.BYTES) {
            for (int i = 0; i < recordCount; i++) {
                System.arraycopy(bytes, bytesAt(index, ordinals[i]), rows, i * stride + column.at(), column.bytes());
            }
            return;
        }
        if (numbers.length < recordCount) {
            numbers = new long[Math.max(recordCount, 2 * numbers.length)];
        }
        numbers(index, ordinals, recordCount, numbers);
        for (int i = 0, at = column.at(); i < recordCount; i++, at += stride) {
            put(column, numbers[i], rows, at);
        }
    }

    /** Returns the offset of the bytes of a record. */
    private int bytesAt(int index, int record) {
        Entry entry = entries[index];
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
        Entry entry = entries[index];
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
        Entry entry = entries[index];
        return entry.hasRange() && entry.min >= low && entry.max <= high;
    }

    /** Returns the directory entry of a column. */
    Entry entry(int index) {
        return entries[index];
    }

    /** Returns the block's bytes. */
    byte[] bytes() {
        return bytes;
    }
}
