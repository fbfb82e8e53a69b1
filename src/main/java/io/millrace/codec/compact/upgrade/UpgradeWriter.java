package io.millrace.codec.compact.upgrade;

import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.compact.CompactWalk;
import io.millrace.codec.compact.MemberSteps;
import io.millrace.codec.compact.RecordAppender;
import io.millrace.codec.compact.Varint;
import io.millrace.codec.compact.upgrade.GroupUpgrade.MemberUpgrade;
import io.millrace.codec.compact.upgrade.GroupUpgrade.MemberUpgrade.ValueForm;
import io.millrace.schema.CompactLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Writes records of the newer version of a {@link CompactUpgrade}. Not thread-safe; allocates only to grow the buffer.
 */
public final class UpgradeWriter extends RecordAppender {

    private static final int MISSING = -1;
    private static final byte[] NO_RECORD = new byte[0];

    private final GroupUpgrade root;

    /** Offsets of the members of the older version, by place. Of booleans: their value, as in an index. */
    private final int[] starts;

    private final int[] ends;
    private byte[] bytes = NO_RECORD;
    private int start;

    UpgradeWriter(GroupUpgrade root, int places) {
        this.root = root;
        this.starts = new int[places];
        this.ends = new int[places];
    }

    /**
     * Appends a record. Never reads outside the stored record.
     *
     * @param stored array that contains a record of the older version
     * @param at offset of the record
     * @param end offset past the record
     * @throws IllegalArgumentException if a member ends outside of what contains it, if a group that is rewritten has
     *     members that the older version does not have, or if the new record is longer than
     *     {@link CompactLayout#MAX_LENGTH}; the buffer is as before
     */
    public void append(byte[] stored, int at, int end) {
        int before = out.length();
        bytes = stored;
        start = at;
        try {
            group(root, at, end);
            out.endRecord(before);
        } catch (IllegalArgumentException e) {
            out.truncate(before);
            if (at > 0) { // Messages have positions in an array that begins with the record.
                append(Arrays.copyOfRange(stored, at, end), 0, end - at);
            }
            throw e;
        }
    }

    private void group(GroupUpgrade plan, int at, int end) {
        locate(plan, at, end);
        bits(plan);
        List<MemberUpgrade> members = plan.members();
        for (int i = 0; i < members.size(); i++) {
            MemberUpgrade member = members.get(i);
            if (member.valueBit() < 0 && isPresent(member)) {
                write(member.form(), starts[member.place()], ends[member.place()]);
            }
        }
    }

    /** Finds the members of the older version. */
    private void locate(GroupUpgrade plan, int at, int end) {
        int next = CompactWalk.bitsEnd(bytes, at, end, start);
        int bitBytes = next - at;
        List<MemberSteps.Step> steps = plan.steps();
        for (int i = 0; i < steps.size(); i++) {
            MemberSteps.Step step = steps.get(i);
            int place = plan.firstPlace() + i;
            if (step.presenceBit() >= 0 && !CompactWalk.bit(bytes, at, bitBytes, step.presenceBit())) {
                starts[place] = MISSING;
            } else if (step.valueBit() >= 0) {
                starts[place] =
                        CompactWalk.bit(bytes, at, bitBytes, step.valueBit()) ? MemberSteps.TRUE : MemberSteps.FALSE;
            } else {
                starts[place] = next;
                next = step.end(bytes, next, end);
                ends[place] = next;
            }
        }
        for (int bit = plan.bits(); bit < 7 * bitBytes; bit++) {
            if (CompactWalk.bit(bytes, at, bitBytes, bit)) {
                throw new IllegalArgumentException("Unknown members of " + plan.path() + ", at byte " + (next - start)
                        + " of the record: it has another version of the schema.");
            }
        }
        requireEnd(next, end, "member", plan.path());
    }

    private void requireEnd(int next, int end, String last, String path) {
        if (next != end) {
            throw new IllegalArgumentException("Unexpected bytes after the last " + last + " of " + path + ", at byte "
                    + (next - start) + " of the record.");
        }
    }

    private boolean isPresent(MemberUpgrade member) {
        return member.place() >= 0 && starts[member.place()] != MISSING;
    }

    private void bits(GroupUpgrade plan) {
        int from = out.beginBits(plan.newBits());
        List<MemberUpgrade> members = plan.members();
        for (int i = 0; i < members.size(); i++) {
            MemberUpgrade member = members.get(i);
            if (isPresent(member)) {
                if (member.presenceBit() >= 0) {
                    out.setBit(member.presenceBit());
                }
                if (member.valueBit() >= 0 && CompactValueReader.truth(starts[member.place()])) {
                    out.setBit(member.valueBit());
                }
            }
        }
        out.endBits(from);
    }

    private void write(MemberUpgrade.Form form, int at, int end) {
        switch (form) {
            case ValueForm value -> value(value, at, end);
            case MemberUpgrade.Group(GroupUpgrade members) -> part(members, at, end);
            case MemberUpgrade.Groups(GroupUpgrade members) -> groups(members, at, end);
            case MemberUpgrade.Values(CompactValueReader reader, ValueForm value) -> values(reader, value, at, end);
        }
    }

    private void value(ValueForm form, int at, int end) {
        switch (form) {
            case COPY -> out.copy(bytes, at, end - at);
            case SIGN -> out.varint(Varint.zigzag(Varint.get(bytes, at)));
            case NUMBER_TEXT -> {
                out.varint(0);
                out.copy(bytes, at, end - at);
            }
        }
    }

    /** Writes a group with its length. */
    private void part(GroupUpgrade members, int at, int end) {
        int from = out.beginPart();
        group(members, at + Varint.length(bytes[at]), end);
        out.endPart(from);
    }

    private void groups(GroupUpgrade members, int at, int end) {
        int from = out.beginPart();
        int countAt = at + Varint.length(bytes[at]);
        int next = copyCount(members.path(), countAt, end);
        for (long i = Varint.get(bytes, countAt); i != 0; i--) {
            int element = next;
            next = CompactWalk.partEnd(bytes, element, end, members.path());
            part(members, element, next);
        }
        requireEnd(next, end, "element", members.path());
        out.endPart(from);
    }

    private void values(CompactValueReader reader, ValueForm form, int at, int end) {
        int from = out.beginPart();
        int countAt = at + Varint.length(bytes[at]);
        String path = reader.field().name();
        int next = copyCount(path, countAt, end);
        for (long i = Varint.get(bytes, countAt); i != 0; i--) {
            int element = next;
            next = reader.end(bytes, element, end);
            value(form, element, next);
        }
        requireEnd(next, end, "element", path);
        out.endPart(from);
    }

    /** Writes the number of elements of a list. Returns the offset past it. */
    private int copyCount(String path, int at, int end) {
        int next = CompactWalk.varintEnd(bytes, at, end, path);
        out.copy(bytes, at, next - at);
        return next;
    }
}
