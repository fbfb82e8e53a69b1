package io.millrace.expression.range;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of longs as ascending ranges that include both ends and neither overlap nor touch. Immutable. */
public final class LongRanges {

    /** All longs from {@code low} to {@code high}, both included. */
    public record Range(long low, long high) {}

    static final LongRanges NONE = new LongRanges(List.of());
    /** All longs. */
    public static final LongRanges ALL = of(Long.MIN_VALUE, Long.MAX_VALUE);

    private final List<Range> ranges;

    private LongRanges(List<Range> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /** Returns all longs from {@code low} to {@code high}, both included; none if {@code low} is larger. */
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

    /** Returns the ranges, ascending. */
    public List<Range> ranges() {
        return ranges;
    }

    public boolean contains(long number) {
        return overlaps(number, number);
    }

    /** Returns whether the set contains any number from {@code low} to {@code high}. */
    public boolean overlaps(long low, long high) {
        for (int i = 0; i < ranges.size(); i++) {
            Range range = ranges.get(i);
            if (range.low() <= high && range.high() >= low) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the set contains every number from {@code low} to {@code high}. */
    public boolean containsAll(long low, long high) {
        return ranges.stream().anyMatch(range -> range.low() <= low && range.high() >= high);
    }

    /** Returns the numbers of this set that are not in the other. */
    public LongRanges minus(LongRanges other) {
        return intersect(other.complement());
    }

    LongRanges complement() {
        List<Range> gaps = new ArrayList<>();
        long gapStart = Long.MIN_VALUE;
        for (Range range : ranges) {
            if (range.low() > gapStart) {
                gaps.add(new Range(gapStart, range.low() - 1));
            }
            if (range.high() == Long.MAX_VALUE) {
                return new LongRanges(gaps);
            }
            gapStart = range.high() + 1;
        }
        gaps.add(new Range(gapStart, Long.MAX_VALUE));
        return new LongRanges(gaps);
    }

    LongRanges intersect(LongRanges other) {
        List<Range> both = new ArrayList<>();
        for (Range range : ranges) {
            for (Range otherRange : other.ranges) {
                long low = Math.max(range.low(), otherRange.low());
                long high = Math.min(range.high(), otherRange.high());
                if (low <= high) {
                    both.add(new Range(low, high));
                }
            }
        }
        return new LongRanges(both);
    }

    /** Returns the numbers that are in this set or in the other. */
    public LongRanges union(LongRanges other) {
        return complement().intersect(other.complement()).complement();
    }

    /** Returns this set with a number added or removed. */
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
