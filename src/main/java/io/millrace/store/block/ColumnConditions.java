package io.millrace.store.block;

import io.millrace.expression.range.FieldCondition;
import io.millrace.expression.range.LongRanges;
import io.millrace.expression.range.LongRanges.Range;
import io.millrace.store.block.ColumnDirectory.Entry;
import java.util.Arrays;
import java.util.List;

/**
 * Evaluates tests of single fields on the columns of the current block, on the packed codes. Not thread-safe; allocates
 * nothing except for tests of several ranges or of absent values.
 */
public final class ColumnConditions {

    private static final LongRanges NOT_ZERO = LongRanges.ALL.minus(LongRanges.of(0, 0));

    private final ColumnLayout layout;
    private final ColumnBlock block;

    /** @param block reads one block after the other */
    public ColumnConditions(ColumnLayout layout, ColumnBlock block) {
        this.layout = layout;
        this.block = block;
    }

    /** Returns whether the range of a test's column shows that the test holds for no record. */
    public boolean excludes(FieldCondition test) {
        Entry entry = block.entry(layout.indexOf(test.field().name()));
        return entry.hasRange() && !test.acceptsAbsent() && !test.accepted().overlaps(entry.min, entry.max);
    }

    /**
     * Removes from a selection the records for which a test does not hold.
     *
     * @param stored test of a field that is a {@linkplain ColumnLayout#testable column by itself}
     * @param selection one bit for each record, from the lowest of the first long on
     */
    public void select(StoredCondition stored, long[] selection) {
        FieldCondition test = stored.test();
        int index = layout.indexOf(test.field().name());
        if (test.field().nullFlag() && mayBeSet(index + 1)) {
            selectWithFlags(index, stored, selection);
        } else {
            selectPresent(index, stored, selection);
        }
    }

    private boolean mayBeSet(int flags) {
        Entry entry = block.entry(flags);
        return !entry.hasRange() || entry.max != 0;
    }

    /** The column of null flags follows that of values. */
    private void selectWithFlags(int index, StoredCondition stored, long[] selection) {
        long[] absent = selection.clone();
        block.require(index + 1);
        selectNumbers(index + 1, NOT_ZERO, absent);
        selectPresent(index, stored, selection);
        for (int i = 0; i < selection.length; i++) {
            selection[i] = stored.test().ifFlagged() ? selection[i] | absent[i] : selection[i] & ~absent[i];
        }
    }

    private void selectPresent(int index, StoredCondition stored, long[] selection) {
        FieldCondition test = stored.test();
        Entry entry = block.entry(index);
        if (entry.hasRange()
                && !layout.columns().get(index).hasAbsent()
                && test.accepted().containsAll(entry.min, entry.max)) {
            return;
        }
        block.require(index);
        if (entry.encoding == ColumnDirectory.RAW || entry.prediction != ColumnDirectory.NONE) {
            selectNumbers(index, test.accepted(), selection);
        } else {
            selectCodes(entry, stored, selection);
        }
    }

    private void selectNumbers(int index, LongRanges accepted, long[] selection) {
        for (int group = 0; group < Packed.groups(block.count()); group++) {
            long alive = selection[group];
            for (long rest = alive; rest != 0; rest &= rest - 1) {
                int bit = Long.numberOfTrailingZeros(rest);
                if (!accepted.contains(block.number(index, group * Packed.GROUP + bit))) {
                    alive &= ~(1L << bit);
                }
            }
            selection[group] = alive;
        }
    }

    /** Tests the smaller number of ranges: those of the accepted numbers or those of the rejected ones. */
    private void selectCodes(Entry entry, StoredCondition stored, long[] selection) {
        List<Range> accepted = stored.test().accepted().ranges();
        List<Range> rejected = stored.rejected().ranges();
        boolean absent = entry.hasAbsent();
        if (accepted.size() == 1 && !absent) {
            select(entry, accepted.getFirst(), true, selection);
        } else if (rejected.size() <= accepted.size() && !absent) {
            for (int i = 0; i < rejected.size(); i++) {
                select(entry, rejected.get(i), false, selection);
            }
        } else {
            selectAny(entry, stored.test(), selection);
        }
    }

    /** Tests each range separately, and the absent value, whose code is not in the order of its number. */
    private void selectAny(Entry entry, FieldCondition test, long[] selection) {
        long[] found = new long[selection.length];
        long[] one = new long[selection.length];
        for (Range range : test.accepted().ranges()) {
            System.arraycopy(selection, 0, one, 0, selection.length);
            select(entry, range, true, one);
            join(found, one);
        }
        if (entry.hasAbsent() && test.acceptsAbsent()) {
            System.arraycopy(selection, 0, one, 0, selection.length);
            Packed.select(block.bytes(), entry.codesAt, entry.width, block.count(), 0, 0, true, one);
            join(found, one);
        }
        System.arraycopy(found, 0, selection, 0, selection.length);
    }

    private static void join(long[] into, long[] more) {
        for (int i = 0; i < into.length; i++) {
            into[i] |= more[i];
        }
    }

    /** Retains the records whose number lies in a range, or those whose number does not. */
    private void select(Entry entry, Range numbers, boolean inside, long[] selection) {
        long first = entry.hasAbsent() ? 1 : 0;
        long last = entry.encoding == ColumnDirectory.DICTIONARY ? entry.entries - 1L : (1L << entry.width) - 1;
        long low = firstCode(entry, first, last, numbers.low());
        long high = numbers.high() == Long.MAX_VALUE ? last : firstCode(entry, first, last, numbers.high() + 1) - 1;
        if (low <= high) {
            Packed.select(block.bytes(), entry.codesAt, entry.width, block.count(), low, high, inside, selection);
        } else if (inside) {
            Arrays.fill(selection, 0);
        }
    }

    /**
     * Returns the first code between two codes whose number is not below a bound, or the one past the last. Numbers
     * ascend.
     */
    private long firstCode(Entry entry, long first, long last, long bound) {
        long low = first;
        long high = last + 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (ofCode(entry, middle) < bound) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long ofCode(Entry entry, long code) {
        return switch (entry.encoding) {
            case ColumnDirectory.DICTIONARY -> block.dictionaryNumber(entry, (int) code);
            case ColumnDirectory.SCALED -> PowerOfTen.of(entry.power).order(entry.coded(code));
            default -> {
                long number = entry.base + code;
                // Codes that no record has may represent numbers outside the range of long.
                yield number < entry.base ? Long.MAX_VALUE : number;
            }
        };
    }
}
