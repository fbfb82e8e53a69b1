package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.feed.Feed;
import io.millrace.feed.Player;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The feeds of a pipeline's partitions, as one. Thread-safe. */
public final class PartitionFeeds {

    private static final long UNKNOWN = -1;

    private final List<Partition> partitions;
    private final PartitionSums sums;

    PartitionFeeds(List<Partition> partitions, PartitionSums sums) {
        this.partitions = partitions;
        this.sums = sums;
    }

    /** Returns the control of the rate, for all partitions; null if the feed does not determine it. */
    public @Nullable Player player() {
        List<Player> players = partitions.stream()
                .flatMap(partition -> Stream.ofNullable(partition.parts().feed().player()))
                .toList();
        return players.isEmpty() ? null : new Players(players);
    }

    /** Returns the part of the feed that has not been taken yet, as {@link Feed#lag} counts it; -1 if it is unknown. */
    public long lag() {
        LongSummaryStatistics all = of(Feed::lag);
        return isUnknown(all) ? UNKNOWN : all.getSum();
    }

    /** Returns the largest part of the feed that one of the partitions has not taken yet; -1 if it is unknown. */
    public long largestLag() {
        return largest(Feed::lag);
    }

    /** Returns the age of the oldest record that waits, as {@link Feed#age} says; -1 if it is unknown. */
    public long age() {
        return largest(Feed::age);
    }

    private long largest(ToLongFunction<Feed> number) {
        LongSummaryStatistics all = of(number);
        return isUnknown(all) ? UNKNOWN : Math.max(0, all.getMax());
    }

    private static boolean isUnknown(LongSummaryStatistics numbers) {
        return numbers.getMin() < 0;
    }

    /** The feed of a partition that runs elsewhere has the number of the time when it ran here. */
    private LongSummaryStatistics of(ToLongFunction<Feed> number) {
        return partitions.stream()
                .filter(partition -> partition.state() != PipelineState.STANDBY)
                .mapToLong(partition -> number.applyAsLong(partition.parts().feed()))
                .summaryStatistics();
    }

    /** Returns the sums of the counters of the feeds, by their names. */
    public Map<String, Counter> counts() {
        Map<String, Counter> counts = new LinkedHashMap<>();
        for (String name : partitions.getFirst().parts().feed().counts().keySet()) {
            counts.put(
                    name,
                    sums.of(
                            "feed " + name,
                            partition -> Objects.requireNonNull(
                                    partition.parts().feed().counts().get(name))));
        }
        return counts;
    }
}
