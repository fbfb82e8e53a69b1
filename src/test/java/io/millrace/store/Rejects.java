package io.millrace.store;

import io.millrace.store.block.Block;
import io.millrace.store.query.Query;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.reject.Reject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rejects for tests. */
public final class Rejects {

    private Rejects() {}

    /** A region of rejects that keeps all. */
    public static RegionDefinition region(String name, boolean persistent) {
        return Reject.region(name, 0, persistent, Retention.FOREVER, Memory.HEAP);
    }

    /** The rejects of a stored block. */
    public static List<Reject> inBlock(byte[] value) {
        Block block = Block.open(value, Reject.SCHEMA);
        int[] bounds = new int[block.count() + 1];
        block.bounds(bounds);
        return IntStream.range(0, block.count())
                .mapToObj(i -> Reject.decode(value, bounds[i], bounds[i + 1]))
                .toList();
    }

    /** All rejects of a region, by position. */
    public static List<Reject> of(Store store, String region) {
        List<Reject> found = new ArrayList<>();
        Query all = new Query(null, List.of(), List.of(), Query.UNLIMITED);
        try (Stream<Reject> rejects = store.find(region, all, Duration.ofMinutes(1), _ -> Reject::decode).stream()) {
            rejects.forEach(found::add);
        }
        found.sort(Comparator.comparingLong(Reject::position));
        return found;
    }
}
