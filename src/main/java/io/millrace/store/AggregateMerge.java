package io.millrace.store;

import io.millrace.codec.FieldValueException;
import io.millrace.expression.FunctionRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
     * The groups of all parts, in the order of the bytes of their keys.
     *
     * @param nanos that asking took
     * @throws StoreException where there are too many
     */
    public AggregateResult result(List<AggregatePart> parts, long nanos) {
        Groups groups = plan.groups();
        ScanCounts counts = ScanCounts.NONE;
        for (AggregatePart part : parts) {
            for (int i = 0; i < part.keys().length; i++) {
                groups.merge(groups.group(part.keys()[i]), part.figures(), i * groups.width());
            }
            counts = counts.plus(part.counts());
        }
        return decoded(groups, counts, nanos);
    }

    private AggregateResult decoded(Groups groups, ScanCounts looked, long nanos) {
        long[] figures = groups.figures();
        List<Integer> sorted = IntStream.range(0, groups.size())
                .boxed()
                .sorted(Comparator.comparing(groups::key, Arrays::compareUnsigned))
                .toList();
        List<Map<String, @Nullable Object>> decoded = new ArrayList<>();
        ScanCounts counts = looked;
        for (int group : sorted) {
            int at = group * groups.width();
            try {
                decoded.add(plan.decode(groups.key(group), figures, at));
            } catch (FieldValueException noValueOfItsType) {
                counts = counts.plusFailed(figures[at], noValueOfItsType.getMessage());
            }
        }
        return new AggregateResult(decoded, counts, nanos);
    }
}
