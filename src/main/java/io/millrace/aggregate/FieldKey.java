package io.millrace.aggregate;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A group key from a stored field: for numbers the raw number, for all other types the bytes, eight to a long, with the
 * remaining ones in the last long; then, for a field with a null flag, this flag. Records whose value is absent also
 * form a group.
 */
final class FieldKey extends GroupKey {

    private static final long INFINITY_BITS = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    private static final long INFINITY_BITS_OF_FLOAT = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final Field field;
    private final FieldCodec codec;
    private final boolean added;
    private final int offset;
    /** The format of each long in the field's bytes. */
    private final IntStorage[] words;
    /** The long of an absent value in each column. */
    private final long[] absent;
    /** The bits of all zeros, and of all NaNs, of a floating-point field. */
    private final long zero;

    private final long nan;

    FieldKey(Schema schema, Field field) {
        this.field = field;
        this.codec = RecordCodec.of(schema).codec(field.name());
        this.added = schema.isAdded(field);
        this.offset = added ? field.offset() - schema.baseLength() : field.offset();
        this.words = new IntStorage[valueLongs() + (field.nullFlag() ? 1 : 0)];
        Arrays.setAll(words, this::word);
        this.absent = new long[words.length];
        Arrays.setAll(absent, this::absentLong);
        boolean inBand = field.optional() && !field.nullFlag();
        boolean wide = field.type().bytes() == Double.BYTES;
        long defaultNan = wide
                ? Double.doubleToRawLongBits(Double.NaN)
                : Integer.toUnsignedLong(Float.floatToRawIntBits(Float.NaN));
        nan = inBand && field.nullRaw() == defaultNan ? defaultNan + 1 : defaultNan;
        zero = inBand && field.nullRaw() == 0 ? (wide ? Long.MIN_VALUE : 1L << (Integer.SIZE - 1)) : 0;
    }

    @Override
    public int longs() {
        return words.length;
    }

    private int valueLongs() {
        return numbered() ? 1 : (field.type().bytes() + Long.BYTES - 1) / Long.BYTES;
    }

    private boolean isNullFlag(int part) {
        return part == valueLongs();
    }

    /** Returns the offset of a long of the key from the field's first byte. */
    private int within(int part) {
        return isNullFlag(part) ? field.type().bytes() : part * Long.BYTES;
    }

    private boolean numbered() {
        return field.type() instanceof FieldType.Numbered;
    }

    @Override
    public Field value() {
        return field;
    }

    @Override
    public Set<String> reads() {
        return Set.of(field.name());
    }

    @Override
    public List<Compiled<BatchKeys>> numbers() {
        return List.of();
    }

    @Override
    public void fill(RecordBatch batch, long[][] columns, int first) {
        for (int part = 0; part < longs(); part++) {
            fill(batch, columns[first + part], within(part), words[part]);
        }
        if (field.type() instanceof FieldType.FloatType(int width, var ignoredOrder)) {
            unifyEqual(columns[first], batch.selected(), width);
        }
        if (field.nullFlag()) {
            unifyAbsent(columns, first, batch.selected());
        }
    }

    /** Gives all NaNs the same bits, and all zeros those of 0.0. The bits that represent an absent value remain. */
    private void unifyEqual(long[] column, int selected, int width) {
        boolean wide = width == Double.BYTES;
        long infinity = wide ? INFINITY_BITS : INFINITY_BITS_OF_FLOAT;
        long unsigned = wide ? Long.MAX_VALUE : Integer.MAX_VALUE;
        boolean inBand = field.optional() && !field.nullFlag();
        for (int i = 0; i < selected; i++) {
            long magnitude = column[i] & unsigned;
            if ((magnitude == 0 || magnitude > infinity) && !(inBand && column[i] == field.nullRaw())) {
                column[i] = magnitude == 0 ? zero : nan;
            }
        }
    }

    /** Gives all absent values the same key, whatever their bytes are. */
    private void unifyAbsent(long[][] columns, int first, int selected) {
        long[] flags = columns[first + valueLongs()];
        for (int i = 0; i < selected; i++) {
            for (int part = 0; flags[i] != 0 && part < valueLongs(); part++) {
                columns[first + part][i] = absent[part];
            }
            flags[i] = flags[i] == 0 ? 0 : 1;
        }
    }

    /** Returns the format in the field's bytes of a long of the key. */
    private IntStorage word(int part) {
        if (isNullFlag(part)) {
            return IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);
        }
        if (field.type() instanceof FieldType.Numbered numbered) {
            return numbered.storage();
        }
        if (field.type() instanceof FieldType.FloatType(int width, var order)) {
            return IntStorage.of(width, false, order);
        }
        int bytes = Math.min(Long.BYTES, field.type().bytes() - part * Long.BYTES);
        return IntStorage.of(bytes, false, ByteOrder.BIG_ENDIAN);
    }

    /** Fills the column of one long; reads numbers that are whole words as such. */
    private void fill(RecordBatch batch, long[] column, int within, IntStorage word) {
        byte[] source = added ? batch.added() : batch.bytes();
        int[] selection = batch.selection();
        int selected = batch.selected();
        // Records of variable length have all their fields in the added row, so that a fixed step is sufficient.
        int first = (added ? batch.addedOffset(0) : batch.start()) + offset + within;
        int step = added ? batch.addedLength() : batch.schema().baseLength();
        long mask = word.signed() ? -1 : word.max();
        switch (word.wholeWord() && word.order() == ByteOrder.BIG_ENDIAN ? word.bytes() : 0) {
            case 1 -> {
                for (int i = 0; i < selected; i++) {
                    column[i] = source[first + selection[i] * step] & mask;
                }
            }
            case 2 -> {
                for (int i = 0; i < selected; i++) {
                    column[i] = RawBytes.getShort(source, first + selection[i] * step) & mask;
                }
            }
            case 4 -> {
                for (int i = 0; i < selected; i++) {
                    column[i] = RawBytes.getInt(source, first + selection[i] * step) & mask;
                }
            }
            case 8 -> {
                for (int i = 0; i < selected; i++) {
                    column[i] = RawBytes.getLong(source, first + selection[i] * step);
                }
            }
            default -> {
                for (int i = 0; i < selected; i++) {
                    column[i] = RawBytes.get(source, first + selection[i] * step, word);
                }
            }
        }
    }

    @Override
    public @Nullable Object decode(long[] key, int at) {
        byte[] bytes = new byte[field.end() - field.offset()];
        for (int part = 0; part < longs(); part++) {
            RawBytes.put(bytes, within(part), words[part], key[at + part]);
        }
        return codec.value(bytes, -field.offset());
    }

    @Override
    public long absent(int part) {
        return absent[part];
    }

    /** Texts are absent if all bytes are padding, other bytes if all are zero. */
    private long absentLong(int part) {
        if (isNullFlag(part)) {
            return 1;
        }
        return switch (field.type()) {
            case FieldType.Numbered _, FieldType.FloatType _ -> field.nullFlag() ? 0 : field.nullRaw();
            case FieldType.StringType(var ignoredBytes, var ignoredCharset, byte pad) ->
                (pad & 0xFFL) * 0x0101_0101_0101_0101L & words[part].max();
            case FieldType.BytesType _, FieldType.IpType _ -> 0;
        };
    }
}
