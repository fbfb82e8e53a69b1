package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeMemory;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose servers are killed one after the other and start with the next version of a schema. */
@Tag("long")
class ClusterEvolutionTest {

    private static final int RECORDS = 50;

    @TempDir
    Path folder;

    private final List<Map<String, @Nullable Object>> expected = new ArrayList<>();

    @Test
    void shouldUseTheNewestVersionWhileServersAreReplaced() throws Exception {
        int port = FreePort.next();
        Path a = folder.resolve("a");
        Path b = folder.resolve("b");
        try (ForkedMember _ =
                ForkedMember.locator(folder.resolve("locator"), port).awaitReady()) {
            ForkedMember first = ForkedMember.evolving(1, a, port).awaitReady();
            ForkedMember second = ForkedMember.evolving(1, b, port).awaitReady();
            try {
                try (GeodeStore earlier = client(1, port)) {
                    Map<String, RegionWriter> writers = writers(earlier, 1);
                    second.awaitCopies();
                    append(writers, 1, 0);
                    requireAll(earlier, 1);

                    first.close(); // kills it
                    first = ForkedMember.evolving(2, a, port).awaitReady();
                    append(writers, 1, RECORDS); // their term goes on
                    assertThatExceptionOfType(StoreException.class)
                            .isThrownBy(() -> earlier.query(EvolvingRegions.ROWS, Query.where("value >= 0")))
                            .withMessageContaining("Repeat the query");
                    requireAll(earlier, 2);
                    requireReadOnly(earlier);
                    first.awaitCopies();

                    second.close();
                    second = ForkedMember.evolving(1, b, port); // yesterday's configuration
                    assertThat(second.awaitLine("later version of a schema")).contains("version=2");
                    second.awaitReady();
                    requireAll(earlier, 2);
                    requireReadOnly(earlier);
                    second.awaitCopies();

                    second.close();
                    second = ForkedMember.evolving(2, b, port).awaitReady();
                    requireAll(earlier, 2);
                }
                try (GeodeStore later = client(2, port)) {
                    append(writers(later, 2), 2, 2 * RECORDS);
                    requireAll(later, 2);
                    for (String region : EvolvingRegions.ALL) {
                        assertThat(later.migrate(region, Duration.ofMinutes(1)).rewritten())
                                .isPositive();
                        assertThat(later.migrate(region, Duration.ofMinutes(1)).rewritten())
                                .isZero();
                    }
                    requireAll(later, 2);
                }
                try (GeodeStore earlier = client(1, port)) {
                    requireAll(earlier, 2);
                    requireReadOnly(earlier);
                }
            } finally {
                first.close();
                second.close();
            }
        }
        try (ForkedMember _ =
                ForkedMember.locator(folder.resolve("locator"), port).awaitReady()) {
            try (ForkedMember one = ForkedMember.evolving(2, a, port);
                    ForkedMember two = ForkedMember.evolving(2, b, port)) {
                one.awaitReady();
                two.awaitReady();
                try (GeodeStore later = client(2, port)) {
                    requireAll(later, 2, List.of(EvolvingRegions.ON_DISK));
                }
            }
        }
    }

    private static GeodeStore client(int version, int port) {
        GeodeStore store = new GeodeStore(
                new GeodeOptions(null, EvolvingRegions.BUCKETS, ForkedMember.client(port), true, GeodeMemory.HEAP, 0));
        EvolvingRegions.definitions(version).forEach(store::open);
        return store;
    }

    private static Map<String, RegionWriter> writers(GeodeStore store, int version) {
        Map<String, RegionWriter> writers = new LinkedHashMap<>();
        for (String region : EvolvingRegions.ALL) {
            writers.put(region, Writers.open(store, region, "to-" + region, EvolvingRegions.schema(version)));
        }
        return writers;
    }

    /** Writes the same records to all regions. */
    private void append(Map<String, RegionWriter> writers, int version, int firstId) {
        Schema schema = EvolvingRegions.schema(version);
        RecordCodec codec = RecordCodec.of(schema);
        byte[] bytes = new byte[RECORDS * schema.recordLength()];
        for (int i = 0; i < RECORDS; i++) {
            int at = i * schema.recordLength();
            EvolvingRegions.written(version, firstId + i)
                    .forEach((name, value) -> codec.codec(name).setValue(bytes, at, value));
            expected.add(EvolvingRegions.read(version, firstId + i));
        }
        long from = (long) firstId * schema.recordLength();
        writers.values().forEach(writer -> {
            writer.append(new RecordBatch(schema).fill(bytes, 0, RECORDS, from, from + bytes.length));
            writer.flush();
        });
    }

    /** Requires that each region has the expected records, as a version reads them. */
    private void requireAll(GeodeStore store, int version) {
        requireAll(store, version, EvolvingRegions.ALL);
    }

    private void requireAll(GeodeStore store, int version, List<String> regions) {
        String value = version == 1 ? "value" : "reading";
        for (String region : regions) {
            Query all = new Query(null, List.of(), List.of("id"), 1000);
            // A query that has begun with the version before is to be repeated.
            List<Map<String, @Nullable Object>> records = await().ignoreExceptionsMatching(
                            e -> String.valueOf(e.getMessage()).contains("Repeat the query"))
                    .until(() -> store.query(region, all).records(), _ -> true);
            assertThat(records)
                    .as(region)
                    .isEqualTo(
                            version == 2
                                    ? expected
                                    : LongStream.range(0, expected.size())
                                            .mapToObj(id -> EvolvingRegions.written(1, id))
                                            .toList());
            long sum = records.stream()
                    .mapToLong(record -> (long) record.getOrDefault(value, -1L))
                    .sum();
            assertThat(store.aggregate(region, new AggregateQuery(null, List.of(), List.of("sum(" + value + ")"), 1))
                            .groups())
                    .hasToString("[{sum(" + value + ")=" + sum + "}]");
            assertThat(store.record(region, "7")).isEqualTo(records.get(7));
        }
    }

    private static void requireReadOnly(GeodeStore earlier) {
        for (String region : EvolvingRegions.ALL) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> Writers.open(earlier, region, "refused", EvolvingRegions.schema(1)))
                    .withMessageContaining("has version 2 of its schema in the cluster")
                    .withMessageContaining("does not write to it");
        }
    }
}
