package io.millrace.store.scan;

import io.millrace.aggregate.GroupTable;
import io.millrace.aggregate.Groups;
import io.millrace.codec.FieldValueException;
import io.millrace.store.query.Answer;
import io.millrace.store.query.PartSource;
import io.millrace.store.query.Query;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an aggregate query, in the byte order of the groups' keys. Returns the first group after all records
 * were scanned.
 */
public final class AggregateAnswer extends Answer<Map<String, @Nullable Object>> {

    private final AggregateScan scan;
    private final PartSource<AggregatePart> source;
    private final Consumer<AggregateScan> ended;
    private final Groups groups;
    private @Nullable Iterator<Integer> order;
    private boolean finished;

    /**
     * @param scan compiled from the query
     * @param start {@link System#nanoTime} at the start of the query
     * @param ended receives the scan once it is no longer used here, unless an error occurred
     */
    public AggregateAnswer(
            String region,
            AggregateScan scan,
            PartSource<AggregatePart> source,
            Duration timeout,
            long start,
            Consumer<AggregateScan> ended) {
        super(region, scan.plan().query().onError(), timeout, System.nanoTime() - start);
        this.scan = scan;
        this.source = source;
        this.ended = ended;
        this.groups = scan.plan().groups();
    }

    /** @throws io.millrace.store.error.StoreException also if there are too many groups */
    @Override
    public @Nullable Map<String, @Nullable Object> next() {
        Iterator<Integer> sorted = order;
        if (sorted == null) {
            sorted = scanned();
            order = sorted;
        }
        requireResults(true);
        while (sorted.hasNext()) {
            Map<String, @Nullable Object> group = decode(sorted.next());
            requireResults(true);
            if (group != null) {
                return group;
            }
        }
        if (!finished) {
            finished = true;
            ended.accept(scan);
        }
        return null;
    }

    private Iterator<Integer> scanned() {
        while (!source.ended()) {
            look(source, Query.UNLIMITED).forEach(this::merge);
        }
        long start = System.nanoTime();
        groups.addSingleGroup();
        scan.plan().requireRoom(groups);
        Iterator<Integer> sorted = IntStream.rangeClosed(1, groups.size())
                .boxed()
                .sorted(byKey(groups.table()))
                .iterator();
        passed(start);
        return sorted;
    }

    private void merge(AggregatePart part) {
        groups.merge(part.keys(), part.size(), part.accumulators());
        count(part.counts());
    }

    /** Compares keys as unsigned numbers, which is the order of their bytes. */
    private static Comparator<Integer> byKey(GroupTable table) {
        long[] keys = table.keys();
        int width = table.width();
        return (one, other) -> {
            int at = table.keyAt(one);
            int otherAt = table.keyAt(other);
            int different = Arrays.mismatch(keys, at, at + width, keys, otherAt, otherAt + width);
            return different < 0 ? 0 : Long.compareUnsigned(keys[at + different], keys[otherAt + different]);
        };
    }

    private @Nullable Map<String, @Nullable Object> decode(int group) {
        AggregatePlan plan = scan.plan();
        GroupTable table = groups.table();
        long[] accumulators = groups.accumulators();
        int at = group * groups.width();
        try {
            return plan.decode(table.keys(), table.keyAt(group), accumulators, at);
        } catch (FieldValueException noValueOfItsType) {
            countFailed(plan.count(accumulators, at), noValueOfItsType.getMessage());
            return null;
        }
    }
}
