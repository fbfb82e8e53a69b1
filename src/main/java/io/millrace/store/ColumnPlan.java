package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.expression.FieldCondition;
import io.millrace.store.ColumnDirectory.Entry;
import io.millrace.store.ColumnLayout.Column;
import io.millrace.store.ColumnLayout.Kind;

/**
 * How one column of a block is to be written, from what its numbers are: first by itself, then perhaps as what differs
 * from other columns. Serves all blocks of a writer. Not thread-safe; allocates only to grow.
 */
final class ColumnPlan {

    private static final int SAMPLE = 32;

    final Column column;
    final Entry entry = new Entry();
    private final NumberDictionary dictionary = new NumberDictionary();
    private final BytesDictionary texts = new BytesDictionary();
    /** The column's numbers. */
    private long[] numbers = new long[0];
    /** What is coded: the numbers, scaled numbers, or what differs from a prediction. */
    private long[] coded = new long[0];

    private final Decimals decimals = new Decimals();
    /** Room for differences, twice: one may be what is coded while others are tried. */
    private final long[][] differences = new long[2][0];

    private int spare;
    private int count;
    private boolean absentAmong;

    ColumnPlan(Column column) {
        this.column = column;
    }

    /** Looks at a block's records and chooses the shortest way of those in which no other column has a part. */
    void analyze(byte[] rows, int rowsAt, int stride, int howMany) {
        count = howMany;
        entry.clear();
        entry.length = count * column.bytes();
        if (column.kind() == Kind.BYTES) {
            analyzeBytes(rows, rowsAt + column.at(), stride);
            return;
        }
        read(rows, rowsAt + column.at(), stride);
        coded = numbers;
        measure();
        frame(numbers, entry.min, entry.max);
        if (column.kind() == Kind.REAL) {
            scale();
        }
        if (!absentAmong) {
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

    private void read(byte[] rows, int at, int stride) {
        if (numbers.length < count) {
            numbers = new long[count];
        }
        RawBytes.getAll(rows, at, stride, count, column.storage(), numbers);
        if (column.kind() == Kind.REAL) {
            for (int i = 0; i < count; i++) {
                numbers[i] = FieldCondition.orderOf(numbers[i]);
            }
        }
    }

    /** Finds smallest and largest present number, and whether one is absent. */
    private void measure() {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        absentAmong = false;
        if (column.hasAbsent()) {
            long absent = column.absent();
            for (int i = 0; i < count; i++) {
                long number = numbers[i];
                absentAmong |= number == absent;
                low = Math.min(low, number == absent ? Long.MAX_VALUE : number);
                high = Math.max(high, number == absent ? Long.MIN_VALUE : number);
            }
        } else {
            for (int i = 0; i < count; i++) {
                low = Math.min(low, numbers[i]);
                high = Math.max(high, numbers[i]);
            }
        }
        boolean any = low <= high;
        entry.flags = (any ? ColumnDirectory.RANGE_FLAG : 0) | (absentAmong ? ColumnDirectory.ABSENT_FLAG : 0);
        entry.min = any ? low : 0;
        entry.max = any ? high : 0;
    }

    /** Takes packed codes for the column where these are shorter than what it is so far. */
    private boolean frame(long[] values, long low, long high) {
        long span = high - low;
        if (span < 0 || span >= 1L << Packed.MAX_WIDTH) {
            return false;
        }
        int width = Packed.width(absentAmong ? span + 1 : span);
        if (width > Packed.MAX_WIDTH || !takes(width)) {
            return false;
        }
        entry.encoding = ColumnDirectory.FRAME;
        entry.width = width;
        entry.base = absentAmong ? low - 1 : low;
        coded = values;
        return true;
    }

    /** Whether codes of a width are shorter than what the column is so far; if so, it takes that length. */
    private boolean takes(int width) {
        long length = Packed.length(width, count);
        // Packed codes are read faster than raw bytes: that is worth the zeros behind them.
        boolean shorter =
                entry.encoding == ColumnDirectory.RAW ? length <= entry.length + Long.BYTES : length < entry.length;
        if (shorter) {
            entry.length = (int) length;
        }
        return shorter;
    }

    /** Takes doubles for decimals, if they all are. */
    private void scale() {
        if (decimals.find(numbers, count, absentAmong, column.absent())
                && frame(decimals.scaled(), decimals.smallest(), decimals.largest())) {
            entry.encoding = ColumnDirectory.SCALED;
            entry.power = decimals.power();
            decimals.keepPower();
        }
    }

    /** Takes what differs from a straight line through the first and last number. */
    private void byIndex() {
        if (count < 2 || entry.encoding == ColumnDirectory.SCALED || entry.width < 2) {
            return;
        }
        long rise = numbers[count - 1] - numbers[0];
        long step = rise / (count - 1);
        if (step == 0 || ((numbers[count - 1] ^ numbers[0]) & (numbers[count - 1] ^ rise)) < 0) {
            return;
        }
        int every = Math.max(1, count / SAMPLE);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i += every) {
            long difference = numbers[i] - step * i;
            low = Math.min(low, difference);
            high = Math.max(high, difference);
        }
        if (!promises(low, high)) {
            return;
        }
        long[] into = differences();
        for (int i = 0; i < count; i++) {
            into[i] = numbers[i] - step * i;
        }
        if (frameDifferences(into)) {
            entry.prediction = ColumnDirectory.INDEX;
            entry.step = step;
        }
    }

    /** Whether differences between these make codes narrower than those that there are so far. */
    private boolean promises(long low, long high) {
        long span = high - low;
        return span >= 0 && Packed.length(Packed.width(span), count) < entry.length;
    }

    private long[] differences() {
        if (differences[spare].length < count) {
            differences[spare] = new long[count];
        }
        return differences[spare];
    }

    private boolean frameDifferences(long[] values) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            low = Math.min(low, values[i]);
            high = Math.max(high, values[i]);
        }
        if (!frame(values, low, high)) {
            return false;
        }
        spare = 1 - spare;
        entry.entries = 0;
        entry.power = 0;
        return true;
    }

    private void tryDictionary() {
        if (absentAmong && entry.encoding == ColumnDirectory.FRAME && entry.width < 2 * Byte.SIZE) {
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

    /** Whether other columns may be predicted of this one. */
    boolean mayPredict() {
        return column.kind() != Kind.BYTES && entry.prediction <= ColumnDirectory.INDEX && !absentAmong;
    }

    /** The numbers of which others are predicted. */
    private long[] operands() {
        return entry.encoding == ColumnDirectory.SCALED ? decimals.scaled() : numbers;
    }

    /** Whether a prediction could make this column shorter. */
    boolean mayBePredicted() {
        return column.kind() == Kind.NUMBER && entry.length > 0 && entry.width != 1 && !absentAmong;
    }

    /** Digits after the point of what is coded, or -1 where it is no number that is multiplied. */
    int factorScale() {
        return entry.encoding == ColumnDirectory.SCALED ? entry.power : column.scale();
    }

    /** Takes what differs from another column, where that is shorter. */
    boolean predict(ColumnPlan other, int ordinal) {
        long[] predictions = other.operands();
        int every = Math.max(1, count / SAMPLE);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i += every) {
            long difference = numbers[i] - predictions[i];
            low = Math.min(low, difference);
            high = Math.max(high, difference);
        }
        if (!promises(low, high)) {
            return false;
        }
        long[] into = differences();
        for (int i = 0; i < count; i++) {
            into[i] = numbers[i] - predictions[i];
        }
        return takesPrediction(into, ColumnDirectory.COLUMN, ordinal, 0, 0);
    }

    /** Takes what differs from the product of two others, where that is shorter. */
    boolean predict(ColumnPlan first, int firstOrdinal, ColumnPlan second, int secondOrdinal) {
        int power = first.factorScale() + second.factorScale() - column.scale();
        if (power < 0 || power > PowerOfTen.LARGEST) {
            return false;
        }
        PowerOfTen ten = PowerOfTen.of(power);
        long[] factors = first.operands();
        long[] others = second.operands();
        int every = Math.max(1, count / SAMPLE);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < count; i += every) {
            long difference = numbers[i] - ten.product(factors[i], others[i]);
            low = Math.min(low, difference);
            high = Math.max(high, difference);
        }
        if (!promises(low, high)) {
            return false;
        }
        long[] into = differences();
        for (int i = 0; i < count; i++) {
            into[i] = numbers[i] - ten.product(factors[i], others[i]);
        }
        return takesPrediction(into, ColumnDirectory.PRODUCT, firstOrdinal, secondOrdinal, power);
    }

    private boolean takesPrediction(long[] values, int prediction, int first, int second, int power) {
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
                for (int i = 0, from = rowsAt + column.at(); i < count; i++, from += stride) {
                    System.arraycopy(rows, from, block, at + i * bytes, bytes);
                }
            }
            case ColumnDirectory.DICTIONARY -> {
                if (column.kind() == Kind.BYTES) {
                    texts.write(rows, block, at, column.bytes(), entry.width, count);
                } else {
                    dictionary.write(numbers, count, entry, block, at);
                }
            }
            default -> {
                if (absentAmong) {
                    absentToBase();
                }
                Packed.put(coded, entry.base, count, entry.width, block, at);
            }
        }
    }

    private void absentToBase() {
        long[] into = differences();
        for (int i = 0; i < count; i++) {
            into[i] = numbers[i] == column.absent() ? entry.base : coded[i];
        }
        coded = into;
    }
}
