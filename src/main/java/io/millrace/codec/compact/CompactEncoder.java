package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.GroupPlan.MemberPlan;
import io.millrace.codec.compact.GroupPlan.MemberPlan.Kind;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Writes compact records from rows, the inverse of {@link CompactFinder}. Equal rows give equal bytes. Not thread-safe;
 * allocates only to grow the buffer.
 */
public final class CompactEncoder extends RecordAppender {

    private final GroupPlan root;
    private List<ChildRows> lists = List.of();

    /** @param schema schema of the compact layout, with all its fields in rows */
    public CompactEncoder(Schema schema) {
        root = PlanBuilder.of(schema.base(), FinderUse.WANTED);
    }

    /** Returns a row of a record in which every optional value is absent, and every other one is zero. */
    public byte[] blank() {
        return root.blank().clone();
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
        int before = out.length();
        lists = children;
        group(root, record, at, ordinal);
        out.endRecord(before);
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
        int from = out.beginBits(plan.bits());
        List<MemberPlan> members = plan.members();
        for (int i = 0; i < members.size(); i++) {
            MemberPlan member = members.get(i);
            if ((member.presenceBit() >= 0 || member.valueBit() >= 0) && isPresent(member, values, at, parent)) {
                if (member.presenceBit() >= 0) {
                    out.setBit(member.presenceBit());
                }
                if (member.valueBit() >= 0 && values[at + member.rowAt()] != 0) {
                    out.setBit(member.valueBit());
                }
            }
        }
        out.endBits(from);
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
            case UNSIGNED, CODE -> out.varint(number(member, values, place));
            case SIGNED -> out.varint(Varint.zigzag(number(member, values, place)));
            case DATE -> out.varint(Varint.zigzag(number(member, values, place) - CompactNumbers.EPOCH_DAY));
            case DECIMAL -> decimal(number(member, values, place));
            case REAL -> real(member, values, place);
            case TEXT -> text(member, values, place);
            case RAW -> out.copy(values, place, member.width());
            case GROUP -> {
                int from = out.beginPart();
                group(Objects.requireNonNull(member.inner()), values, at, parent);
                out.endPart(from);
            }
            case LIST -> list(member, parent);
            case BIT -> throw new AssertionError("a bit takes no bytes");
        }
    }

    private static long number(MemberPlan member, byte[] values, int place) {
        IntStorage storage = Objects.requireNonNull(member.storage());
        return RawBytes.get(values, place, storage);
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
                out.varint(value);
                return;
            }
        }
        if (fits) {
            out.varint(plain << 1);
        } else {
            out.put(0xFF);
            out.putLong(plain);
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
                out.put(exponent);
                out.varint(mantissa);
                return;
            }
        }
        if (exact) {
            out.put(CompactNumbers.FLOAT);
            out.putInt(wide ? Float.floatToRawIntBits(narrow) : RawBytes.getInt(values, place));
        } else {
            out.put(CompactNumbers.DOUBLE);
            out.putLong(RawBytes.getLong(values, place));
        }
    }

    private void text(MemberPlan member, byte[] values, int place) {
        int length = RawBytes.trimmed(values, place, member.width(), (byte) 0);
        if (!member.frequent().isEmpty()) {
            for (int i = 0; i < member.frequent().size(); i++) {
                byte[] known = member.frequent().get(i);
                if (Arrays.equals(known, 0, known.length, values, place, place + length)) {
                    out.varint(i + 1L);
                    return;
                }
            }
            out.varint(0);
        }
        out.varint(length);
        out.copy(values, place, length);
    }

    private void list(MemberPlan member, int parent) {
        ChildRows rows = lists.get(member.list());
        GroupPlan inner = Objects.requireNonNull(member.inner());
        int from = out.beginPart();
        out.varint(rows.end(parent) - rows.first(parent));
        for (int i = rows.first(parent); i < rows.end(parent); i++) {
            int at = i * rows.rowLength();
            if (inner.bare()) {
                write(inner.members().getFirst(), rows.rows(), at, i);
            } else {
                int element = out.beginPart();
                group(inner, rows.rows(), at, i);
                out.endPart(element);
            }
        }
        out.endPart(from);
    }
}
