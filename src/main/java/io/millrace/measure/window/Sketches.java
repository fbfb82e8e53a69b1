package io.millrace.measure.window;

import io.millrace.aggregate.ColumnValues;
import io.millrace.aggregate.GroupTable;
import io.millrace.expression.range.FieldCondition;
import io.millrace.measure.plan.SketchPlan;
import io.millrace.measure.plan.SketchPlan.Kind;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.HllUnion;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.jspecify.annotations.Nullable;

/**
 * The sketches of groups: one for each group and plan, created with the first value. HyperLogLog with 2<sup>11</sup>
 * registers estimates distinct values in about 1 KiB, with a standard error of 2.3 percent. KLL with k = 200 estimates
 * quantiles in a few KiB; the rank error is less than 1.4 percent at 99 percent confidence.
 *
 * <p>Adding a value allocates only while a sketch is small and grows. Not thread-safe.
 */
final class Sketches {

    private static final int REGISTERS_LOG = 11;
    private static final int FIRST = 64;

    private final SketchPlan[] plans;
    private final double[] units;
    /** The sketches by plan and group. */
    private final @Nullable Object[][] sketches;

    Sketches(List<SketchPlan> plans) {
        this.plans = plans.toArray(new SketchPlan[0]);
        this.units =
                plans.stream().mapToDouble(plan -> Math.pow(10, plan.scale())).toArray();
        this.sketches = new @Nullable Object[plans.size()][FIRST];
    }

    /**
     * Adds records to the sketches of their groups.
     *
     * @param groups group of each record
     */
    void take(int[] groups, Inputs inputs, int from, int to) {
        for (int i = 0; i < plans.length; i++) {
            SketchPlan plan = plans[i];
            if (plan.kind() == Kind.DISTINCT) {
                updateDistinct(i, groups, inputs.identities()[plan.input()], from, to);
            } else {
                rank(i, groups, inputs.values()[plan.input()], from, to);
            }
        }
    }

    private void updateDistinct(int sketch, int[] groups, DistinctKey identities, int from, int to) {
        long[] keys = identities.keys();
        for (int i = from; i < to; i++) {
            if (!identities.isMissing(i)) {
                distinctOf(sketch, groups[i]).update(keys[i]);
            }
        }
    }

    private void rank(int sketch, int[] groups, ColumnValues values, int from, int to) {
        long[] numbers = values.numbers();
        long[] presence = values.presence();
        boolean complete = values.complete();
        boolean real = plans[sketch].real();
        double unit = units[sketch];
        for (int i = from; i < to; i++) {
            if (complete || presence[i] != 0) {
                double value = real ? Double.longBitsToDouble(FieldCondition.orderOf(numbers[i])) : numbers[i] / unit;
                quantilesOf(sketch, groups[i]).update(value);
            }
        }
    }

    private @Nullable Object get(int sketch, int group) {
        return group < sketches[sketch].length ? sketches[sketch][group] : null;
    }

    private void set(int sketch, int group, Object made) {
        if (group >= sketches[sketch].length) {
            sketches[sketch] = Arrays.copyOf(sketches[sketch], Math.max(group + 1, 2 * sketches[sketch].length));
        }
        sketches[sketch][group] = made;
    }

    private HllSketch distinctOf(int sketch, int group) {
        if (get(sketch, group) instanceof HllSketch found) {
            return found;
        }
        HllSketch made = new HllSketch(REGISTERS_LOG, TgtHllType.HLL_4);
        set(sketch, group, made);
        return made;
    }

    private KllDoublesSketch quantilesOf(int sketch, int group) {
        if (get(sketch, group) instanceof KllDoublesSketch found) {
            return found;
        }
        KllDoublesSketch made = KllDoublesSketch.newHeapInstance();
        set(sketch, group, made);
        return made;
    }

    /** Returns the estimated number of distinct values of a group. */
    long distinct(int sketch, int group) {
        return get(sketch, group) instanceof HllSketch found ? Math.round(found.getEstimate()) : 0;
    }

    /** Returns the estimated quantile of a group's values, or NaN if it has none. */
    double quantile(int sketch, int group, double rank) {
        return get(sketch, group) instanceof KllDoublesSketch found && !found.isEmpty()
                ? found.getQuantile(rank)
                : Double.NaN;
    }

    /**
     * Merges other sketches into these, without changing the others.
     *
     * @param newGroups for each group of the others, its group here
     */
    void merge(Sketches others, int[] newGroups) {
        for (int group = 0; group < newGroups.length; group++) {
            mergeOne(newGroups[group], others, group);
        }
    }

    /**
     * Merges other sketches of the groups here, without changing the others.
     *
     * @param otherGroups for each group here, its group in the others, or {@link GroupTable#OTHERS} if they do not have
     *     it
     * @param overflow whether to merge group 0 too
     */
    void mergeKnown(Sketches others, int[] otherGroups, boolean overflow) {
        if (overflow) {
            mergeOne(GroupTable.OTHERS, others, GroupTable.OTHERS);
        }
        for (int group = 1; group < otherGroups.length; group++) {
            if (otherGroups[group] != GroupTable.OTHERS) {
                mergeOne(group, others, otherGroups[group]);
            }
        }
    }

    private void mergeOne(int group, Sketches others, int otherGroup) {
        for (int i = 0; i < plans.length; i++) {
            Object other = others.get(i, otherGroup);
            if (other != null) {
                set(i, group, merged(get(i, group), other));
            }
        }
    }

    /**
     * Returns the merged sketch. A group without a sketch gets a copy, because a HyperLogLog union with an empty sketch
     * would estimate less accurately.
     */
    private static Object merged(@Nullable Object existing, Object other) {
        if (other instanceof HllSketch sketch) {
            if (existing == null) {
                return sketch.copy();
            }
            HllUnion union = new HllUnion(REGISTERS_LOG);
            union.update((HllSketch) existing);
            union.update(sketch);
            return union.getResult(TgtHllType.HLL_4);
        }
        KllDoublesSketch sketch = (KllDoublesSketch) other;
        if (existing == null) {
            return KllDoublesSketch.heapify(MemorySegment.ofArray(sketch.toByteArray()));
        }
        KllDoublesSketch merging = (KllDoublesSketch) existing;
        merging.merge(sketch);
        return merging;
    }

    /** Removes all sketches. */
    void clear() {
        for (@Nullable Object[] ofPlan : sketches) {
            Arrays.fill(ofPlan, null);
        }
    }

    /** Writes the sketches of group 0 and of the groups 1 to {@code groups}. */
    void write(DataOutput out, int groups) throws IOException {
        for (int i = 0; i < plans.length; i++) {
            for (int group = 0; group <= groups; group++) {
                byte[] bytes = switch (get(i, group)) {
                    case HllSketch sketch -> sketch.toUpdatableByteArray();
                    case KllDoublesSketch sketch -> sketch.toByteArray();
                    case null, default -> new byte[0];
                };
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }

    /** Reads what {@link #write} wrote. */
    void read(DataInput in, int groups) throws IOException {
        for (int i = 0; i < plans.length; i++) {
            for (int group = 0; group <= groups; group++) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                if (bytes.length > 0) {
                    MemorySegment segment = MemorySegment.ofArray(bytes);
                    set(
                            i,
                            group,
                            plans[i].kind() == Kind.DISTINCT
                                    ? HllSketch.heapify(segment)
                                    : KllDoublesSketch.heapify(segment));
                }
            }
        }
    }
}
