package io.millrace.expression;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of longs as ranges, ascending, both ends inside, none touching the next. Immutable. */
public final class LongRanges {

    /** From one number to another, both inside. */
    public record Range(long low, long high) {}

    static final LongRanges NONE = new LongRanges(List.of());
    /** All longs. */
    public static final LongRanges ALL = of(Long.MIN_VALUE, Long.MAX_VALUE);

    private final List<Range> ranges;

    private LongRanges(List<Range> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /** All numbers from one to another; none where the first is the larger. */
    public static LongRanges of(long low, long high) {
        return low > high ? NONE : new LongRanges(List.of(new Range(low, high)));
    }

    static LongRanges ofMembers(List<Long> members) {
        LongRanges all = NONE;
        for (long member : members) {
            all = all.union(of(member, member));
        }
        return all;
    }

    /** The ranges, ascending. */
    public List<Range> ranges() {
        return ranges;
    }

    public boolean contains(long number) {
        return overlaps(number, number);
    }

    /** Whether any number from one to another is in the set. */
    public boolean overlaps(long low, long high) {
        for (int i = 0; i < ranges.size(); i++) {
            Range range = ranges.get(i);
            if (range.low() <= high && range.high() >= low) {
                return true;
            }
        }
        return false;
    }

    /** Whether every number from one to another is in the set. */
    public boolean containsAll(long low, long high) {
        return ranges.stream().anyMatch(range -> range.low() <= low && range.high() >= high);
    }

    /** The numbers that are in this set and not in another. */
    public LongRanges minus(LongRanges other) {
        return intersect(other.complement());
    }

    LongRanges complement() {
        List<Range> gaps = new ArrayList<>();
        long from = Long.MIN_VALUE;
        for (Range range : ranges) {
            if (range.low() > from) {
                gaps.add(new Range(from, range.low() - 1));
            }
            if (range.high() == Long.MAX_VALUE) {
                return new LongRanges(gaps);
            }
            from = range.high() + 1;
        }
        gaps.add(new Range(from, Long.MAX_VALUE));
        return new LongRanges(gaps);
    }

    LongRanges intersect(LongRanges other) {
        List<Range> both = new ArrayList<>();
        for (Range range : ranges) {
            for (Range its : other.ranges) {
                long low = Math.max(range.low(), its.low());
                long high = Math.min(range.high(), its.high());
                if (low <= high) {
                    both.add(new Range(low, high));
                }
            }
        }
        return new LongRanges(both);
    }

    /** The numbers that are in this set, or in another. */
    public LongRanges union(LongRanges other) {
        return complement().intersect(other.complement()).complement();
    }

    /** This set with one number in it or not. */
    LongRanges with(long number, boolean inside) {
        LongRanges one = of(number, number);
        return inside ? union(one) : intersect(one.complement());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LongRanges that && ranges.equals(that.ranges);
    }

    @Override
    public int hashCode() {
        return ranges.hashCode();
    }

    @Override
    public String toString() {
        return ranges.toString();
    }
}
