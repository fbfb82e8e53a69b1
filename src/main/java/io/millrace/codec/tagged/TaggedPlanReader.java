package io.millrace.codec.tagged;

import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.schema.RecordLayout;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads records by following a plan from element to element, and reports what is malformed. Reads every record that the
 * generated code of {@link TaggedFinderClass} leaves: those to reject, and all of a schema for which there is no such
 * code.
 *
 * <p>Never reads outside the record. Not thread-safe; allocates for rejects only.
 */
final class TaggedPlanReader {

    private final Plan plan;
    private final Counter malformed;
    /** Elements found in the current record, by {@link Level.Entry#counter}. */
    private final int[] seen;
    /** Index of each required slot in {@link #found}. */
    private final IdentityHashMap<Slot, Integer> required = new IdentityHashMap<>();
    /** Whether the current record contains the field of each required slot. */
    private final boolean[] found;

    /** @param malformed counts values that are invalid for their field's type */
    TaggedPlanReader(Plan plan, Counter malformed) {
        this.plan = plan;
        this.malformed = malformed;
        this.seen = new int[plan.counters()];
        this.found = new boolean[plan.required().size()];
        plan.required().forEach(slot -> required.put(slot, required.size()));
    }

    /** Implements {@link TaggedFinder#find}. */
    @Nullable
    String find(byte[] bytes, int start, int end, byte[] row, int at) {
        System.arraycopy(plan.blank(), 0, row, at, plan.blank().length);
        if (end - start > RecordLayout.MAX_VARYING_LENGTH) {
            return "Invalid length of the record: " + (end - start) + " bytes. A record has at most "
                    + RecordLayout.MAX_VARYING_LENGTH + " bytes.";
        }
        int first = start + plan.headerLength();
        if (first > end) {
            return "Truncated record: " + (end - start) + " bytes. Its header has " + plan.headerLength() + ".";
        }
        Arrays.fill(seen, 0);
        Arrays.fill(found, false);
        for (Slot slot : plan.header()) {
            read(slot, bytes, start, first, row, at);
        }
        int stop = walk(plan.outermost(), bytes, first, end, row, at);
        if (stop != end) {
            return "Invalid length of the element at byte " + (stop - start) + " of the record: it ends after the"
                    + " record's " + (end - start) + " bytes.";
        }
        for (int i = 0; i < found.length; i++) {
            if (!found[i]) {
                return "Missing or invalid value of '" + plan.required().get(i).name()
                        + "'. The field is not optional.";
            }
        }
        return null;
    }

    private void read(Slot slot, byte[] bytes, int valueStart, int valueEnd, byte[] row, int at) {
        switch (slot.read(bytes, valueStart, valueEnd, row, at)) {
            case WRITTEN -> {
                Integer index = required.get(slot);
                if (index != null) {
                    found[index] = true;
                }
            }
            case INVALID -> malformed.add(1);
            case NOT_PRESENT -> {}
        }
    }

    /** Reads elements up to an offset. Returns where it stopped, which is less if an element does not end by then. */
    private int walk(Level level, byte[] bytes, int start, int limit, byte[] row, int at) {
        int next = start;
        while (next < limit) {
            int end = Elements.end(level.form(), bytes, next, limit);
            if (end == Elements.UNEXPECTED) {
                return next;
            }
            Level.Entry entry =
                    level.find(Elements.unsigned(bytes, next, level.form().tagBytes()));
            if (entry != null) {
                take(entry, bytes, next + level.form().headerLength(), end, row, at);
            }
            next = end;
        }
        return next;
    }

    private void take(Level.Entry entry, byte[] bytes, int valueStart, int valueEnd, byte[] row, int at) {
        int occurrence = seen[entry.counter()]++;
        List<Slot> slots = entry.slots();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            if (slot.counts() || slot.place().occurrence() == occurrence) {
                read(slot, bytes, valueStart, valueEnd, row, at);
            }
        }
        List<Level> levels = entry.inner();
        for (int i = 0; i < levels.size(); i++) {
            Level inner = levels.get(i);
            int first = valueStart + inner.selectorLength();
            if (first <= valueEnd
                    && selects(inner, bytes, valueStart)
                    && walk(inner, bytes, first, valueEnd, row, at) != valueEnd) {
                malformed.add(1);
            }
        }
    }

    /** Returns whether the value at an offset has the vendor of the elements in it. */
    private static boolean selects(Level inner, byte[] bytes, int at) {
        Long vendor = inner.vendor();
        return vendor == null || (RawBytes.getInt(bytes, at) & 0xFFFF_FFFFL) == vendor;
    }
}
