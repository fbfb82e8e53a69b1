package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.expression.range.FieldCondition;
import io.millrace.store.block.ColumnDirectory.Entry;
import io.millrace.store.block.ColumnLayout.Column;
import io.millrace.store.block.ColumnLayout.Kind;

/**
 * The plan for one column of a block, derived from its numbers: first by itself, then possibly as differences from
 * other columns. Serves all blocks of a writer. Not thread-safe; allocates only to grow.
 */
final class ColumnPlan {

    /** Records that are read or computed at a time: few enough for their bytes to stay in the processor's cache. */
    static final int RUN = 256;

    private static final int SAMPLE = 32;

    final Column column;
    final Entry entry = new Entry();
    private final NumberDictionary dictionary = new NumberDictionary();
    private final BytesDictionary texts = new BytesDictionary();
    /** The column's numbers. */
    private long[] numbers = new long[0];
    /** The values to encode: the numbers, scaled numbers, or differences from a prediction. */
    private long[] coded = new long[0];

    private final Decimals decimals = new Decimals();
    private final DifferenceBuffers differences = new DifferenceBuffers();
    private final NumberRange range = new NumberRange();
    private int count;
    private boolean hasAbsent;

    ColumnPlan(Column column) {
        this.column = column;
    }

    /** Starts with the records of the next block. */
    void begin(int recordCount) {
        count = recordCount;
        range.clear();
        if (column.kind() != Kind.BYTES && numbers.length < count) {
            numbers = new long[count];
        }
    }

    /**
     * Reads the column's numbers of some records of the block.
     *
     * @param at offset of the first of these records
     */
    void read(byte[] rows, int at, int stride, int first, int end) {
        if (column.kind() == Kind.BYTES) {
            return;
        }
        RawBytes.getAll(rows, at + column.at(), stride, end - first, column.storage(), numbers, first);
        if (column.kind() == Kind.REAL) {
            for (int i = first; i < end; i++) {
                numbers[i] = FieldCondition.orderOf(numbers[i]);
            }
        }
        if (column.hasAbsent()) {
            range.include(numbers, first, end, column.absent());
        } else {
            range.include(numbers, first, end);
        }
    }

    /** Chooses the shortest encoding of the numbers that uses no other column. */
    void analyze(byte[] rows, int rowsAt, int stride) {
        entry.clear();
        entry.length = count * column.bytes();
        if (column.kind() == Kind.BYTES) {
            analyzeBytes(rows, rowsAt + column.at(), stride);
            return;
        }
        coded = numbers;
        hasAbsent = range.hasAbsent();
        entry.flags = (range.any() ? ColumnDirectory.RANGE_FLAG : 0) | (hasAbsent ? ColumnDirectory.ABSENT_FLAG : 0);
        entry.min = range.any() ? range.min() : 0;
        entry.max = range.any() ? range.max() : 0;
        frame(numbers, entry.min, entry.max);
        if (column.kind() == Kind.REAL) {
            scale();
        }
        if (!hasAbsent) {
            byIndex();
        }
        if (entry.width >= Byte.SIZE || entry.encoding == ColumnDirectory.RAW) {
            tryDictionary();
        }
        if (entry.encoding == ColumnDirectory.RAW) {
            entry.flags &= ~ColumnDirectory.ABSENT_FLAG;
        }
    }

    private void analyzeBytes(byte[] rows, int at, int stride) {
        if (texts.collect(rows, at, stride, count, column.bytes())) {
            int width = Packed.width(texts.size() - 1L);
            long length = (long) texts.size() * column.bytes() + Packed.length(width, count);
            if (length < entry.length) {
                entry.encoding = ColumnDirectory.DICTIONARY;
                entry.width = width;
                entry.entries = texts.size();
                entry.length = (int) length;
            }
        }
    }

    /** Chooses packed codes for the column if they are shorter than the current plan. */
    private boolean frame(long[] values, long low, long high) {
        long span = high - low;
        if (span < 0 || span >= 1L << Packed.MAX_WIDTH) {
            return false;
        }
        int width = Packed.width(hasAbsent ? span + 1 : span);
        if (width > Packed.MAX_WIDTH || !useIfShorter(width)) {
            return false;
        }
        entry.encoding = ColumnDirectory.FRAME;
        entry.width = width;
        entry.base = hasAbsent ? low - 1 : low;
        coded = values;
        return true;
    }

    /** Updates the length if codes of the given width are shorter than the current plan; returns whether they are. */
    private boolean useIfShorter(int width) {
        long length = Packed.length(width, count);
        // Packed codes are read faster than raw bytes, which outweighs the zeros behind them.
        boolean shorter =
                entry.encoding == ColumnDirectory.RAW ? length <= entry.length + Long.BYTES : length < entry.length;
        if (shorter) {
            entry.length = (int) length;
        }
        return shorter;
    }

    /** Encodes doubles as decimals, if they all are decimals. */
    private void scale() {
        if (decimals.find(numbers, count, hasAbsent, column.absent())
                && frame(decimals.scaled(), decimals.smallest(), decimals.largest())) {
            entry.encoding = ColumnDirectory.SCALED;
            entry.power = decimals.power();
            decimals.keepPower();
        }
    }

    /** Encodes the differences from a straight line through the first and last number, if that is shorter. */
    private void byIndex() {
        if (count < 2 || entry.encoding == ColumnDirectory.SCALED || entry.width < 2) {
            return;
        }
        long rise = numbers[count - 1] - numbers[0];
        long step = rise / (count - 1);
        if (step == 0 || ((numbers[count - 1] ^ numbers[0]) & (numbers[count - 1] ^ rise)) < 0) {
            return;
        }
        int sampleStep = Math.max(1, count / SAMPLE);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i += sampleStep) {
            long difference = numbers[i] - step * i;
            low = Math.min(low, difference);
            high = Math.max(high, difference);
        }
        if (!mayShorten(low, high)) {
            return;
        }
        long[] into = differences.spare(count);
        range.clear();
        for (int start = 0, end; start < count; start = end) {
            end = Math.min(start + RUN, count);
            for (int i = start; i < end; i++) {
                into[i] = numbers[i] - step * i;
            }
            range.include(into, start, end);
        }
        if (frameDifferences(into)) {
            entry.prediction = ColumnDirectory.INDEX;
            entry.step = step;
        }
    }

    /** Returns whether differences in a range make codes shorter than the current plan. */
    private boolean mayShorten(long low, long high) {
        long span = high - low;
        return span >= 0 && Packed.length(Packed.width(span), count) < entry.length;
    }

    /** Chooses the codes of differences, whose range is known, if they are shorter than the current plan. */
    private boolean frameDifferences(long[] values) {
        if (!frame(values, range.min(), range.max())) {
            return false;
        }
        differences.keepSpare();
        entry.entries = 0;
        entry.power = 0;
        return true;
    }

    private void tryDictionary() {
        if (hasAbsent && entry.encoding == ColumnDirectory.FRAME && entry.width < 2 * Byte.SIZE) {
            return;
        }
        if (!dictionary.collect(numbers, count)) {
            return;
        }
        long span = dictionary.span();
        int entryWidth = span < 0 ? Long.SIZE : Packed.width(span);
        int width = Packed.width(dictionary.size() - 1L);
        long length = Packed.length(entryWidth, dictionary.size()) + Packed.length(width, count);
        if (entryWidth <= Packed.MAX_WIDTH && length < entry.length) {
            entry.encoding = ColumnDirectory.DICTIONARY;
            entry.prediction = ColumnDirectory.NONE;
            entry.step = 0;
            entry.flags &= ~ColumnDirectory.ABSENT_FLAG;
            entry.width = width;
            entry.power = entryWidth;
            entry.entries = dictionary.size();
            entry.base = dictionary.smallest();
            entry.length = (int) length;
            coded = numbers;
        }
    }

    /** Returns whether other columns may be predicted from this one. */
    boolean mayPredict() {
        return column.kind() != Kind.BYTES && entry.prediction <= ColumnDirectory.INDEX && !hasAbsent;
    }

    /** Returns the numbers from which others are predicted. */
    private long[] operands() {
        return entry.encoding == ColumnDirectory.SCALED ? decimals.scaled() : numbers;
    }

    /** Returns whether a prediction could make this column shorter. */
    boolean mayBePredicted() {
        return column.kind() == Kind.NUMBER && entry.length > 0 && entry.width != 1 && !hasAbsent;
    }

    /** Returns the digits after the decimal point of the coded values, or -1 if they can't be a factor. */
    int factorScale() {
        return entry.encoding == ColumnDirectory.SCALED ? entry.power : column.scale();
    }

    /** Encodes the differences from another column, if that is shorter. */
    boolean predict(ColumnPlan other, int ordinal) {
        long[] predictions = other.operands();
        int sampleStep = Math.max(1, count / SAMPLE);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i += sampleStep) {
            long difference = numbers[i] - predictions[i];
            low = Math.min(low, difference);
            high = Math.max(high, difference);
        }
        if (!mayShorten(low, high)) {
            return false;
        }
        long[] into = differences.spare(count);
        range.clear();
        for (int start = 0, end; start < count; start = end) {
            end = Math.min(start + RUN, count);
            for (int i = start; i < end; i++) {
                into[i] = numbers[i] - predictions[i];
            }
            range.include(into, start, end);
        }
        return usePrediction(into, ColumnDirectory.COLUMN, ordinal, 0, 0);
    }

    /** Encodes the differences from the product of two others, if that is shorter. */
    boolean predict(ColumnPlan first, int firstOrdinal, ColumnPlan second, int secondOrdinal) {
        int power = first.factorScale() + second.factorScale() - column.scale();
        if (power < 0 || power > PowerOfTen.LARGEST) {
            return false;
        }
        PowerOfTen ten = PowerOfTen.of(power);
        long[] firstFactors = first.operands();
        long[] secondFactors = second.operands();
        int sampleStep = Math.max(1, count / SAMPLE);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i += sampleStep) {
            long difference = numbers[i] - ten.product(firstFactors[i], secondFactors[i]);
            low = Math.min(low, difference);
            high = Math.max(high, difference);
        }
        if (!mayShorten(low, high)) {
            return false;
        }
        long[] into = differences.spare(count);
        range.clear();
        for (int start = 0, end; start < count; start = end) {
            end = Math.min(start + RUN, count);
            for (int i = start; i < end; i++) {
                into[i] = numbers[i] - ten.product(firstFactors[i], secondFactors[i]);
            }
            range.include(into, start, end);
        }
        return usePrediction(into, ColumnDirectory.PRODUCT, firstOrdinal, secondOrdinal, power);
    }

    private boolean usePrediction(long[] values, int prediction, int first, int second, int power) {
        if (!frameDifferences(values)) {
            return false;
        }
        entry.prediction = prediction;
        entry.step = 0;
        entry.first = first;
        entry.second = second;
        entry.power = power;
        return true;
    }

    /** Writes the column over zeros, as planned. */
    void write(byte[] rows, int rowsAt, int stride, byte[] block, int at) {
        entry.at = at;
        switch (entry.encoding) {
            case ColumnDirectory.RAW -> {
                int bytes = column.bytes();
                for (int i = 0, rowOffset = rowsAt + column.at(); i < count; i++, rowOffset += stride) {
                    RawBytes.copy(rows, rowOffset, block, at + i * bytes, bytes);
                }
            }
            case ColumnDirectory.DICTIONARY -> {
                if (column.kind() == Kind.BYTES) {
                    texts.write(rows, block, at, column.bytes(), entry.width, count);
                } else {
                    dictionary.write(count, entry, block, at);
                }
            }
            default -> {
                if (hasAbsent) {
                    absentToBase();
                }
                Packed.put(coded, entry.base, count, entry.width, block, at);
            }
        }
    }

    private void absentToBase() {
        long[] into = differences.spare(count);
        long absent = column.absent();
        long base = entry.base;
        for (int i = 0; i < count; i++) {
            long difference = numbers[i] ^ absent;
            // All ones if the number is the absent value. A branch would be slow: absent values stand anywhere.
            long isAbsent = ((difference - 1) & ~difference) >> 63;
            into[i] = coded[i] ^ ((coded[i] ^ base) & isAbsent);
        }
        coded = into;
    }
}
