package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.MemberPlan.Kind;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Writes compact records from rows, the inverse of {@link CompactFinder}. Equal rows give equal bytes. Records are
 * appended to a buffer that is reused. Not thread-safe; allocates only to grow the buffer.
 */
public final class CompactEncoder {

    private static final int INITIAL_CAPACITY = 256;
    private static final int BITS_OF_BYTE = 7;

    /** Bits that are collected before their bytes are written. */
    private static final int BITS_OF_CHUNK = Long.BYTES * BITS_OF_BYTE;

    private final GroupPlan root;
    private byte[] out = new byte[INITIAL_CAPACITY];
    private int end;
    private List<ChildRows> lists = List.of();

    /** Bits of the current group that are not yet written, and the index of the first one. */
    private long bits;

    private int chunk;

    /** @param schema schema of the compact layout, with all its fields in rows */
    public CompactEncoder(Schema schema) {
        root = PlanBuilder.of(schema.base(), FinderUse.WANTED);
    }

    /** Returns a row of a record in which every optional value is absent, and every other one is zero. */
    public byte[] blank() {
        return root.blank().clone();
    }

    /** Removes all records from the buffer. */
    public void clear() {
        end = 0;
    }

    /** Returns the buffer. Replaced when it grows. */
    public byte[] bytes() {
        return out;
    }

    /** Returns the number of bytes in the buffer. */
    public int length() {
        return end;
    }

    /** Returns a copy of the bytes in the buffer. */
    public byte[] toBytes() {
        return Arrays.copyOf(out, end);
    }

    /**
     * Appends a record.
     *
     * @param record array that contains the row of its single values
     * @param at offset of the row
     * @param children rows of the repeating parts, in the order of {@link Schema#groups}
     * @param ordinal index of the record, of which the elements are children
     * @throws IllegalArgumentException if the record is longer than {@link CompactLayout#MAX_LENGTH}; the buffer is as
     *     before
     */
    public void encode(byte[] record, int at, List<ChildRows> children, int ordinal) {
        int before = end;
        lists = children;
        group(root, record, at, ordinal);
        if (end - before > CompactLayout.MAX_LENGTH) {
            int length = end - before;
            end = before;
            throw new IllegalArgumentException("Invalid length of the record: " + length
                    + " bytes. A record has at most " + CompactLayout.MAX_LENGTH + " bytes.");
        }
    }

    /** Iterates by index, because the JIT compiler does not remove all iterators. */
    private void group(GroupPlan plan, byte[] values, int at, int parent) {
        bits(plan, values, at, parent);
        List<MemberPlan> members = plan.members();
        for (int i = 0; i < members.size(); i++) {
            MemberPlan member = members.get(i);
            if (member.valueBit() < 0 && isPresent(member, values, at, parent)) {
                write(member, values, at, parent);
            }
        }
    }

    /** Writes the bits of a group, without bytes at the end that are zero. */
    private void bits(GroupPlan plan, byte[] values, int at, int parent) {
        int from = end;
        reserve(Long.BYTES * (1 + plan.bits() / BITS_OF_CHUNK));
        bits = 0;
        chunk = 0;
        List<MemberPlan> members = plan.members();
        for (int i = 0; i < members.size(); i++) {
            MemberPlan member = members.get(i);
            if ((member.presenceBit() >= 0 || member.valueBit() >= 0) && isPresent(member, values, at, parent)) {
                if (member.presenceBit() >= 0) {
                    set(member.presenceBit());
                }
                if (member.valueBit() >= 0 && values[at + member.rowAt()] != 0) {
                    set(member.valueBit());
                }
            }
        }
        do {
            putByteOfBits();
        } while (bits != 0);
        while (end > from + 1 && out[end - 1] == (byte) 0x80) {
            end--;
        }
        out[end - 1] &= 0x7F;
    }

    /** Sets a bit, whose index is larger than those set before. */
    private void set(int bit) {
        while (bit - chunk >= BITS_OF_CHUNK) {
            for (int i = 0; i < Long.BYTES; i++) {
                putByteOfBits();
            }
            chunk += BITS_OF_CHUNK;
        }
        bits |= 1L << (bit - chunk);
    }

    private void putByteOfBits() {
        out[end++] = (byte) (bits | 0x80);
        bits >>>= BITS_OF_BYTE;
    }

    private boolean isPresent(MemberPlan member, byte[] values, int at, int parent) {
        if (member.inner() == null) {
            return member.flagAt() < 0 || values[at + member.flagAt()] == 0;
        }
        if (member.kind() == Kind.GROUP) {
            return member.presenceBit() < 0 || values[at + member.rowAt()] != 0;
        }
        ChildRows rows = lists.get(member.list());
        return rows.end(parent) > rows.first(parent);
    }

    private void write(MemberPlan member, byte[] values, int at, int parent) {
        int place = at + member.rowAt();
        switch (member.kind()) {
            case UNSIGNED, CODE -> varint(number(member, values, place));
            case SIGNED -> varint(Varint.zigzag(number(member, values, place)));
            case DATE -> varint(Varint.zigzag(number(member, values, place) - CompactNumbers.EPOCH_DAY));
            case DECIMAL -> decimal(number(member, values, place));
            case REAL -> real(member, values, place);
            case TEXT -> text(member, values, place);
            case RAW -> copy(values, place, member.width());
            case GROUP -> {
                int from = beginPart();
                group(Objects.requireNonNull(member.inner()), values, at, parent);
                endPart(from);
            }
            case LIST -> list(member, parent);
            case BIT -> throw new AssertionError("a bit takes no bytes");
        }
    }

    private static long number(MemberPlan member, byte[] values, int place) {
        IntStorage storage = Objects.requireNonNull(member.storage());
        return RawBytes.get(values, place, storage);
    }

    private void varint(long value) {
        reserve(Varint.MAX_BYTES);
        end = Varint.append(out, end, value);
    }

    private void decimal(long raw) {
        long plain = Varint.zigzag(raw);
        int zeros = 0;
        long stripped = raw;
        while (raw != 0 && zeros < CompactNumbers.MAX_ZEROS && stripped % 10 == 0) {
            stripped /= 10;
            zeros++;
        }
        long shorter = Varint.zigzag(stripped);
        boolean fits = plain >>> (CompactNumbers.PLAIN_BITS - 1) == 0;
        if (zeros > 0 && shorter >>> (CompactNumbers.PLAIN_BITS - CompactNumbers.ZEROS_BITS - 1) == 0) {
            long value = shorter << (CompactNumbers.ZEROS_BITS + 1) | (long) zeros << 1 | 1;
            if (!fits || Varint.bytes(value) < Varint.bytes(plain << 1)) {
                varint(value);
                return;
            }
        }
        if (fits) {
            varint(plain << 1);
        } else {
            put(0xFF);
            putLong(plain);
        }
    }

    private void real(MemberPlan member, byte[] values, int place) {
        boolean wide = member.width() == Double.BYTES;
        double value = wide
                ? Double.longBitsToDouble(RawBytes.getLong(values, place))
                : Float.intBitsToFloat(RawBytes.getInt(values, place));
        float narrow = (float) value;
        boolean exact = !wide || Double.doubleToRawLongBits(narrow) == Double.doubleToRawLongBits(value);
        int exponent = wide ? CompactNumbers.exponent(value) : CompactNumbers.exponent(narrow);
        if (exponent >= 0) {
            long mantissa = Varint.zigzag(CompactNumbers.mantissa(value, exponent));
            if (Varint.bytes(mantissa) < (exact ? Float.BYTES : Double.BYTES)) {
                put(exponent);
                varint(mantissa);
                return;
            }
        }
        if (exact) {
            put(CompactNumbers.FLOAT);
            reserve(Integer.BYTES);
            RawBytes.putInt(out, end, wide ? Float.floatToRawIntBits(narrow) : RawBytes.getInt(values, place));
            end += Integer.BYTES;
        } else {
            put(CompactNumbers.DOUBLE);
            putLong(RawBytes.getLong(values, place));
        }
    }

    private void text(MemberPlan member, byte[] values, int place) {
        int length = RawBytes.trimmed(values, place, member.width(), (byte) 0);
        if (!member.frequent().isEmpty()) {
            for (int i = 0; i < member.frequent().size(); i++) {
                byte[] known = member.frequent().get(i);
                if (Arrays.equals(known, 0, known.length, values, place, place + length)) {
                    varint(i + 1L);
                    return;
                }
            }
            varint(0);
        }
        varint(length);
        copy(values, place, length);
    }

    private void list(MemberPlan member, int parent) {
        ChildRows rows = lists.get(member.list());
        GroupPlan inner = Objects.requireNonNull(member.inner());
        int from = beginPart();
        varint(rows.end(parent) - rows.first(parent));
        for (int i = rows.first(parent); i < rows.end(parent); i++) {
            int at = i * rows.rowLength();
            if (inner.bare()) {
                write(inner.members().getFirst(), rows.rows(), at, i);
            } else {
                int element = beginPart();
                group(inner, rows.rows(), at, i);
                endPart(element);
            }
        }
        endPart(from);
    }

    /** Reserves a byte for the length of a part, and returns its offset. */
    private int beginPart() {
        reserve(1);
        return end++;
    }

    private void endPart(int lengthAt) {
        int length = end - lengthAt - 1;
        int more = Varint.bytes(length) - 1;
        if (more > 0) {
            reserve(more);
            System.arraycopy(out, lengthAt + 1, out, lengthAt + 1 + more, length);
            end += more;
        }
        Varint.put(out, lengthAt, length);
    }

    private void put(int value) {
        reserve(1);
        out[end++] = (byte) value;
    }

    private void putLong(long value) {
        reserve(Long.BYTES);
        RawBytes.putLong(out, end, value);
        end += Long.BYTES;
    }

    private void copy(byte[] from, int at, int length) {
        reserve(length);
        RawBytes.copy(from, at, out, end, length);
        end += length;
    }

    private void reserve(int more) {
        if (end + more > out.length) {
            out = Arrays.copyOf(out, Math.max(end + more, 2 * out.length));
        }
    }
}
