package io.millrace.store;

import io.millrace.aggregate.GroupTable;
import io.millrace.aggregate.Groups;
import io.millrace.codec.FieldValueException;
import io.millrace.expression.FunctionRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes one result of the figures of each part of a region. Not thread-safe. */
public final class AggregateMerge {

    private final AggregatePlan plan;

    private AggregateMerge(AggregatePlan plan) {
        this.plan = plan;
    }

    /**
     * For one run of a question.
     *
     * @param functions that the expressions may call
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a figure is none
     */
    public static AggregateMerge of(RegionDefinition region, AggregateQuery query, FunctionRegistry functions) {
        return new AggregateMerge(AggregatePlan.of(region, query, functions));
    }

    /**
     * The groups of all parts, in the order of their keys as unsigned numbers.
     *
     * @param nanos that asking took
     * @throws StoreException where there are too many
     */
    public AggregateResult result(List<AggregatePart> parts, long nanos) {
        Groups groups = plan.groups();
        ScanCounts counts = ScanCounts.NONE;
        for (AggregatePart part : parts) {
            groups.merge(part.keys(), part.size(), part.figures());
            counts = counts.plus(part.counts());
        }
        plan.requireRoom(groups);
        return decoded(groups, counts, nanos);
    }

    private AggregateResult decoded(Groups groups, ScanCounts looked, long nanos) {
        long[] figures = groups.figures();
        GroupTable table = groups.table();
        long[] keys = table.keys();
        List<Map<String, @Nullable Object>> decoded = new ArrayList<>();
        ScanCounts counts = looked;
        for (int group : sorted(table)) {
            int at = group * groups.width();
            try {
                decoded.add(plan.decode(keys, table.keyAt(group), figures, at));
            } catch (FieldValueException noValueOfItsType) {
                counts = counts.plusFailed(plan.count(figures, at), noValueOfItsType.getMessage());
            }
        }
        return new AggregateResult(decoded, counts, nanos);
    }

    private static List<Integer> sorted(GroupTable table) {
        long[] keys = table.keys();
        int width = table.width();
        return IntStream.rangeClosed(1, table.size())
                .boxed()
                .sorted((a, b) -> {
                    int atA = table.keyAt(a);
                    int atB = table.keyAt(b);
                    int different = Arrays.mismatch(keys, atA, atA + width, keys, atB, atB + width);
                    return different < 0 ? 0 : Long.compareUnsigned(keys[atA + different], keys[atB + different]);
                })
                .toList();
    }
}
