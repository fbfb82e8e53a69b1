package io.millrace.codec.compact;

import io.millrace.codec.Admission;
import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Dictionary;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of compact records: one pass over a record writes its single values to the row of the schema, and
 * each element of a repeating part to a row of its own. {@link Schema#project} selects both.
 *
 * <p>A record is rejected if a part of it ends outside of what contains it, or if a value is invalid for its field. An
 * instance for admission checks all members; another one checks only what it reads, and stops after the last wanted
 * member of each group.
 *
 * <p>Never reads outside the record. Not thread-safe; allocates for rejects, and to grow the rows of elements.
 */
public final class CompactFinder implements Admission {

    /** Maximum number of bytes that the rows of the elements of one record take. */
    public static final int MAX_ROW_BYTES = 1 << 26;

    /** Maximum number of bytes that the rows of the elements of all records in a batch take. */
    static final int MAX_BATCH_ROW_BYTES = 1 << 28;

    private static final byte[] NO_ROW = new byte[0];

    private final Schema schema;
    private final GroupPlan root;
    private final boolean admission;
    private final int foundLength;
    private byte[] bytes = NO_ROW;
    private int start;
    private List<ChildRows> lists = List.of();
    private long rowBytes;
    private long batchRowBytes;

    private CompactFinder(Schema schema, boolean admission) {
        this.schema = schema;
        this.root = PlanBuilder.of(schema);
        this.admission = admission;
        this.foundLength = schema.foundLength();
    }

    /**
     * Returns a finder that checks records completely.
     *
     * @param schema schema of the compact layout
     */
    public static CompactFinder admission(Schema schema) {
        return new CompactFinder(schema, true);
    }

    /**
     * Returns a finder for records that were admitted before.
     *
     * @param schema schema of the compact layout
     */
    public static CompactFinder of(Schema schema) {
        return new CompactFinder(schema, false);
    }

    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        List<ChildRows> children = batch.childRows();
        children.forEach(ChildRows::clear);
        batchRowBytes = 0;
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int from = batch.offset(ordinal);
            try {
                find(
                        batch.bytes(),
                        from,
                        from + batch.length(ordinal),
                        batch.added(),
                        batch.addedOffset(ordinal),
                        children,
                        ordinal);
                selection[remaining++] = ordinal;
            } catch (MalformedRecordException e) {
                rejects.reject(
                        batch,
                        ordinal,
                        new RejectReason(RejectReason.Kind.INVALID_VALUE, Objects.requireNonNull(e.getMessage())));
            }
        }
        batch.select(remaining);
        for (int i = 0; i < children.size(); i++) {
            int parent = schema.groups().get(i).parent();
            children.get(i)
                    .reach(parent < 0 ? batch.count() : children.get(parent).count());
        }
    }

    /**
     * Writes a record to rows.
     *
     * @param from offset of the record
     * @param end offset past the record
     * @param row receives the single values
     * @param rowAt offset of the row
     * @param children rows of the repeating parts, in the order of {@link Schema#groups}; the record's elements are
     *     added
     * @param ordinal index of the record, of which the elements are children
     * @throws MalformedRecordException if the record is malformed
     */
    void find(byte[] record, int from, int end, byte[] row, int rowAt, List<ChildRows> children, int ordinal) {
        if (end - from > CompactLayout.MAX_LENGTH) {
            throw new MalformedRecordException("Invalid length of the record: " + (end - from)
                    + " bytes. A record has at most " + CompactLayout.MAX_LENGTH + " bytes.");
        }
        bytes = record;
        start = from;
        lists = children;
        rowBytes = 0;
        System.arraycopy(root.blank(), 0, row, rowAt, foundLength);
        group(root, "the record", from, end, row, rowAt, ordinal);
    }

    /** Reads the members of a group that ends at an offset. */
    private void group(GroupPlan plan, String path, int at, int end, byte[] row, int rowAt, int parent) {
        int next = at;
        do {
            if (next >= end) {
                throw truncated(path, at);
            }
        } while (bytes[next++] < 0);
        int bitBytes = next - at;
        List<MemberPlan> members = plan.members();
        int count = admission ? members.size() : plan.wantedMembers();
        for (int i = 0; i < count; i++) {
            MemberPlan member = members.get(i);
            if (member.presenceBit() >= 0 && !bit(at, bitBytes, member.presenceBit())) {
                continue;
            }
            next = member.valueBit() >= 0
                    ? truth(member, bit(at, bitBytes, member.valueBit()), next, row, rowAt)
                    : read(member, next, end, row, rowAt, parent);
        }
        if (admission && next != end && !hasUnknownMembers(plan, at, bitBytes)) {
            throw new MalformedRecordException("Unexpected bytes after the last member of " + path + ", at byte "
                    + (next - start) + " of the record.");
        }
    }

    private boolean bit(int at, int bitBytes, int index) {
        int in = index / 7;
        return in < bitBytes && (bytes[at + in] >> index % 7 & 1) != 0;
    }

    /** Returns whether a newer schema wrote the group: its bits name members that this schema does not have. */
    private boolean hasUnknownMembers(GroupPlan plan, int at, int bitBytes) {
        for (int i = plan.bits(); i < 7 * bitBytes; i++) {
            if (bit(at, bitBytes, i)) {
                return true;
            }
        }
        return false;
    }

    private static int truth(MemberPlan member, boolean value, int next, byte[] row, int rowAt) {
        if (member.rowAt() >= 0) {
            row[rowAt + member.rowAt()] = (byte) (value ? 1 : 0);
            present(member, row, rowAt);
        }
        return next;
    }

    private static void present(MemberPlan member, byte[] row, int rowAt) {
        if (member.flagAt() >= 0) {
            row[rowAt + member.flagAt()] = 0;
        }
    }

    /** Reads or skips a member that is there. Returns the offset past it. */
    private int read(MemberPlan member, int at, int end, byte[] row, int rowAt, int parent) {
        return switch (member.kind()) {
            case UNSIGNED, CODE -> {
                int next = varintEnd(member, at, end);
                number(member, Varint.get(bytes, at), row, rowAt);
                yield next;
            }
            case SIGNED -> {
                int next = varintEnd(member, at, end);
                number(member, Varint.unzigzag(Varint.get(bytes, at)), row, rowAt);
                yield next;
            }
            case DATE -> {
                int next = varintEnd(member, at, end);
                number(member, Varint.unzigzag(Varint.get(bytes, at)) + Numbers.EPOCH_DAY, row, rowAt);
                yield next;
            }
            case DECIMAL -> decimal(member, at, end, row, rowAt);
            case REAL -> real(member, at, end, row, rowAt);
            case TEXT -> text(member, at, end, row, rowAt);
            case RAW -> {
                int next = fixedEnd(member, at, end, member.width());
                if (member.rowAt() >= 0) {
                    RawBytes.copy(bytes, at, row, rowAt + member.rowAt(), member.width());
                    present(member, row, rowAt);
                }
                yield next;
            }
            case GROUP -> inner(member, at, end, row, rowAt, parent);
            case LIST -> list(member, at, end, parent);
            case BIT -> throw new AssertionError("a bit takes no bytes");
        };
    }

    private int varintEnd(MemberPlan member, int at, int end) {
        if (at >= end) {
            throw truncated(member.path(), at);
        }
        return fixedEnd(member, at, end, Varint.length(bytes[at]));
    }

    private int fixedEnd(MemberPlan member, int at, int end, int length) {
        if (length > end - at) {
            throw truncated(member.path(), at);
        }
        return at + length;
    }

    private void number(MemberPlan member, long raw, byte[] row, int rowAt) {
        if (member.rowAt() < 0 && !admission) {
            return;
        }
        IntStorage storage = Objects.requireNonNull(member.storage());
        Dictionary names = member.names();
        if (!storage.holds(raw) || (names != null && names.name(raw) == null)) {
            throw invalid(member, storage.unsignedLong() ? Long.toUnsignedString(raw) : Long.toString(raw));
        }
        if (member.rowAt() >= 0) {
            RawBytes.put(row, rowAt + member.rowAt(), storage, raw);
            present(member, row, rowAt);
        }
    }

    private int decimal(MemberPlan member, int at, int end, byte[] row, int rowAt) {
        int next = varintEnd(member, at, end);
        if (member.rowAt() >= 0 || admission) {
            try {
                number(member, Numbers.decimal(Varint.get(bytes, at), next - at), row, rowAt);
            } catch (ArithmeticException _) {
                throw invalid(member, "more than 2^63");
            }
        }
        return next;
    }

    private int real(MemberPlan member, int at, int end, byte[] row, int rowAt) {
        int next = fixedEnd(member, at, end, 1);
        int head = bytes[at];
        double value;
        if (head == Numbers.DOUBLE) {
            next = fixedEnd(member, at, end, 1 + Double.BYTES);
            value = Double.longBitsToDouble(RawBytes.getLong(bytes, at + 1));
        } else if (head == Numbers.FLOAT) {
            next = fixedEnd(member, at, end, 1 + Float.BYTES);
            value = Float.intBitsToFloat(RawBytes.getInt(bytes, at + 1));
        } else if (head >= 0 && head <= Numbers.MAX_EXPONENT) {
            next = varintEnd(member, at + 1, end);
            value = Numbers.real(Varint.unzigzag(Varint.get(bytes, at + 1)), head);
        } else {
            throw invalid(member, "form " + (head & 0xFF));
        }
        if (member.rowAt() >= 0) {
            if (member.width() == Double.BYTES) {
                RawBytes.putLong(row, rowAt + member.rowAt(), Double.doubleToRawLongBits(value));
            } else {
                RawBytes.putInt(row, rowAt + member.rowAt(), Float.floatToRawIntBits((float) value));
            }
            present(member, row, rowAt);
        }
        return next;
    }

    private int text(MemberPlan member, int at, int end, byte[] row, int rowAt) {
        int next = at;
        if (!member.frequent().isEmpty()) {
            next = varintEnd(member, at, end);
            long code = Varint.get(bytes, at);
            if (code != 0) {
                if (code < 0 || code > member.frequent().size()) {
                    throw invalid(member, "text " + Long.toUnsignedString(code));
                }
                byte[] known = member.frequent().get((int) code - 1);
                put(member, known, 0, known.length, row, rowAt);
                return next;
            }
        }
        int from = varintEnd(member, next, end);
        long length = Varint.get(bytes, next);
        if (length < 0 || length > end - from) {
            throw truncated(member.path(), at);
        }
        if (length > member.width()) {
            throw new MalformedRecordException("Invalid length of " + member.path() + ": " + length
                    + " bytes. The field has at most " + member.width() + " bytes.");
        }
        if (admission && !Texts.valid(bytes, from, (int) length, Objects.requireNonNull(member.charset()))) {
            throw new MalformedRecordException(
                    "Invalid value of " + member.path() + ": not text in " + member.charset() + ".");
        }
        put(member, bytes, from, (int) length, row, rowAt);
        return from + (int) length;
    }

    private static void put(MemberPlan member, byte[] from, int at, int length, byte[] row, int rowAt) {
        if (member.rowAt() >= 0) {
            RawBytes.copy(from, at, row, rowAt + member.rowAt(), length);
            present(member, row, rowAt);
        }
    }

    /** Returns the offset past a part, which begins with the number of its bytes. */
    private int partEnd(MemberPlan member, int at, int from, int end) {
        long length = Varint.get(bytes, at);
        if (length < 0 || length > end - from) {
            throw truncated(member.path(), at);
        }
        return from + (int) length;
    }

    private int inner(MemberPlan member, int at, int end, byte[] row, int rowAt, int parent) {
        int from = varintEnd(member, at, end);
        int limit = partEnd(member, at, from, end);
        if (member.rowAt() >= 0) {
            row[rowAt + member.rowAt()] = 1;
        }
        if (admission || member.wanted()) {
            group(Objects.requireNonNull(member.inner()), member.path(), from, limit, row, rowAt, parent);
        }
        return limit;
    }

    private int list(MemberPlan member, int at, int end, int parent) {
        int from = varintEnd(member, at, end);
        int limit = partEnd(member, at, from, end);
        if (!admission && !member.wanted()) {
            return limit;
        }
        int next = varintEnd(member, from, limit);
        long count = Varint.get(bytes, from);
        if (count < 0 || count > member.maxElements()) {
            throw new MalformedRecordException("Invalid number of elements of " + member.path() + ": "
                    + Long.toUnsignedString(count) + ". The schema allows " + member.maxElements() + ".");
        }
        ChildRows rows = member.list() < 0 ? null : lists.get(member.list());
        if (rows != null) {
            rows.begin(parent);
            rowBytes += count * rows.rowLength();
            batchRowBytes += count * rows.rowLength();
            if (batchRowBytes > MAX_BATCH_ROW_BYTES) {
                throw new MalformedRecordException("Too many elements of " + member.path() + ": " + count
                        + ". The elements of the records in a batch take at most " + MAX_BATCH_ROW_BYTES
                        + " bytes in memory. Set millrace.batch-records to a smaller number.");
            }
            if (rowBytes > MAX_ROW_BYTES) {
                throw new MalformedRecordException("Invalid number of elements of " + member.path() + ": " + count
                        + ". The elements of a record take at most " + MAX_ROW_BYTES + " bytes in memory.");
            }
        }
        GroupPlan inner = Objects.requireNonNull(member.inner());
        for (long i = 0; i < count; i++) {
            next = element(member, inner, rows, next, limit, parent);
        }
        if (admission && next != limit) {
            throw new MalformedRecordException("Unexpected bytes after the last element of " + member.path()
                    + ", at byte " + (next - start) + " of the record.");
        }
        return limit;
    }

    private int element(MemberPlan list, GroupPlan inner, @Nullable ChildRows rows, int at, int end, int parent) {
        int index = rows == null ? -1 : rows.add(parent, inner.blank());
        byte[] row = rows == null ? NO_ROW : rows.rows();
        int rowAt = rows == null ? 0 : index * rows.rowLength();
        if (inner.bare()) {
            return read(inner.members().getFirst(), at, end, row, rowAt, index);
        }
        int from = varintEnd(list, at, end);
        int limit = partEnd(list, at, from, end);
        group(inner, list.path(), from, limit, row, rowAt, index);
        return limit;
    }

    private MalformedRecordException truncated(String path, int at) {
        return new MalformedRecordException("Truncated record: the value of " + path + ", at byte " + (at - start)
                + " of the record, ends outside of what contains it.");
    }

    private static MalformedRecordException invalid(MemberPlan member, String value) {
        return new MalformedRecordException("Invalid value of " + member.path() + ": " + value + ".");
    }
}
