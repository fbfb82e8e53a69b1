package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.GroupPlan.MemberPlan;
import io.millrace.schema.Dictionary;
import io.millrace.schema.IntStorage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads records by following a plan from member to member, and reports what is malformed. Reads every record that the
 * generated code of {@link FinderClass} leaves: malformed ones, and all of a schema for which there is no such code.
 *
 * <p>Never reads outside the record. Not thread-safe; allocates for rejects only.
 */
final class PlanReader {

    private static final byte[] NO_ROW = new byte[0];

    private final GroupPlan root;
    private final boolean admission;
    private final ElementRows elements;
    private byte[] bytes = NO_ROW;
    private int start;

    /**
     * @param admission whether to check all members, not only those that are wanted
     * @param elements receives the elements of the repeating parts
     */
    PlanReader(GroupPlan root, boolean admission, ElementRows elements) {
        this.root = root;
        this.admission = admission;
        this.elements = elements;
    }

    /**
     * Reads a record.
     *
     * @throws MalformedRecordException if the record is malformed
     */
    void read(byte[] record, int from, int end, byte[] row, int rowAt, int ordinal) {
        bytes = record;
        start = from;
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
        for (int i = 0; i < members.size(); i++) {
            MemberPlan member = members.get(i);
            if (i >= count && member.kind() != MemberPlan.Kind.BIT) {
                continue;
            }
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
        return CompactWalk.bit(bytes, at, bitBytes, index);
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
            FinderSteps.present(member, row, rowAt);
        }
        return next;
    }

    /** Reads or skips a member that is there. Returns the offset past it. */
    private int read(MemberPlan member, int at, int end, byte[] row, int rowAt, int parent) {
        return switch (member.kind()) {
            case UNSIGNED, CODE, SIGNED, DATE, DECIMAL -> number(member, at, end, row, rowAt);
            case REAL -> {
                int next = FinderSteps.real(member, admission, bytes, at, end, row, rowAt);
                yield next < 0 ? realFault(member, at, end) : next;
            }
            case TEXT -> {
                int next = FinderSteps.text(member, admission, bytes, at, end, row, rowAt);
                yield next < 0 ? textFault(member, at, end) : next;
            }
            case RAW -> inside(FinderSteps.raw(member, admission, bytes, at, end, row, rowAt), member, at);
            case GROUP -> inner(member, at, end, row, rowAt, parent);
            case LIST -> list(member, at, end, parent);
            case BIT -> throw new AssertionError("a bit takes no bytes");
        };
    }

    /** Returns an offset of {@link FinderSteps}, and refuses a record in which there is none. */
    private int inside(int next, MemberPlan member, int at) {
        if (next < 0) {
            throw truncated(member.path(), at);
        }
        return next;
    }

    private int varintEnd(MemberPlan member, int at, int end) {
        return inside(FinderSteps.varintEnd(bytes, at, end), member, at);
    }

    private int number(MemberPlan member, int at, int end, byte[] row, int rowAt) {
        int next = varintEnd(member, at, end);
        if (member.rowAt() < 0 && !admission) {
            return next;
        }
        long raw = number(member, at);
        IntStorage storage = Objects.requireNonNull(member.storage());
        Dictionary names = member.names();
        if (!storage.holds(raw) || (names != null && names.name(raw) == null)) {
            throw invalid(member, storage.unsignedLong() ? Long.toUnsignedString(raw) : Long.toString(raw));
        }
        if (member.rowAt() >= 0) {
            RawBytes.put(row, rowAt + member.rowAt(), storage, raw);
            FinderSteps.present(member, row, rowAt);
        }
        return next;
    }

    private long number(MemberPlan member, int at) {
        try {
            return switch (member.kind()) {
                case SIGNED -> FinderSteps.signed(bytes, at);
                case DATE -> FinderSteps.date(bytes, at);
                case DECIMAL -> FinderSteps.decimal(bytes, at);
                default -> Varint.get(bytes, at);
            };
        } catch (ArithmeticException _) {
            throw invalid(member, "more than 2^63");
        }
    }

    /** Refuses a floating-point number that can't be read. */
    private int realFault(MemberPlan member, int at, int end) {
        int head = at < end ? bytes[at] : CompactNumbers.DOUBLE;
        boolean decimal = head >= 0 && head <= CompactNumbers.MAX_EXPONENT;
        if (decimal || head == CompactNumbers.DOUBLE || head == CompactNumbers.FLOAT) {
            throw truncated(member.path(), decimal ? at + 1 : at);
        }
        throw invalid(member, "form " + (head & 0xFF));
    }

    /** Refuses a text that can't be read. */
    private int textFault(MemberPlan member, int at, int end) {
        int next = at;
        if (!member.frequent().isEmpty()) {
            next = varintEnd(member, at, end);
            long code = Varint.get(bytes, at);
            if (code != 0) {
                throw invalid(member, "text " + Long.toUnsignedString(code));
            }
        }
        int from = varintEnd(member, next, end);
        int length = inside(FinderSteps.partEnd(bytes, next, from, end), member, at) - from;
        if (length > member.width()) {
            throw new MalformedRecordException("Invalid length of " + member.path() + ": " + length
                    + " bytes. The field has at most " + member.width() + " bytes.");
        }
        throw new MalformedRecordException(
                "Invalid value of " + member.path() + ": not text in " + member.charset() + ".");
    }

    /** Returns the offset past a part, which begins with the number of its bytes. */
    private int partEnd(MemberPlan member, int at, int from, int end) {
        return inside(FinderSteps.partEnd(bytes, at, from, end), member, at);
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
        ChildRows rows = null;
        if (member.list() >= 0) {
            rows = elements.begin(member.list(), parent, count);
            if (elements.recordTooLarge()) {
                throw new MalformedRecordException("Invalid number of elements of " + member.path() + ": " + count
                        + ". The elements of a record take at most " + CompactFinder.MAX_ROW_BYTES
                        + " bytes in memory.");
            }
            if (elements.batchTooLarge()) {
                throw new MalformedRecordException("Too many elements of " + member.path() + ": " + count
                        + ". The elements of the records in a batch take at most " + ElementRows.MAX_BATCH_BYTES
                        + " bytes in memory. Set millrace.batch-records to a smaller number.");
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
