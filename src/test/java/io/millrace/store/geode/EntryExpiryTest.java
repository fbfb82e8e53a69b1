package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Trades;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.geode.cache.Region;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.RegionEntry;
import org.apache.geode.internal.cache.versions.VersionStamp;
import org.apache.geode.internal.cache.versions.VersionTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryExpiryTest {

    private static final Object KEY = 7L;

    private static final byte[] RECORD = Trades.feed(1);

    @TempDir
    Path folder;

    private final Map<String, OpenRegion> regions = new ConcurrentHashMap<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private Topology topology;

    @BeforeEach
    void open() {
        topology = Topologies.start(GeodeOptions.inFolder(folder), FunctionRegistry.empty(), regions, new LocalMap<>());
    }

    @AfterEach
    void close() {
        topology.close();
    }

    private OpenRegion region(boolean persistent) {
        topology.open(new RegionDefinition(
                "latest",
                Layout.ENTRIES,
                0,
                persistent,
                Trades.SCHEMA,
                List.of("id"),
                null,
                1,
                BlockEncoding.ROWS,
                new Retention(Duration.ofDays(1), null),
                Memory.HEAP));
        return Objects.requireNonNull(regions.get("latest"));
    }

    private static void put(OpenRegion region) {
        region.region().put(KEY, RECORD.clone());
    }

    /**
     * Returns the time of the last put, once the clock has passed it, as it has when an entry expires. Geode gives the
     * next put in the same millisecond a later time.
     */
    private static long expiredBy(OpenRegion region) {
        long stored = region.values().storedAt(KEY);
        while (System.currentTimeMillis() <= stored) {
            Thread.onSpinWait();
        }
        return stored;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotRemoveAnEntryThatWasStoredAgainWithTheSameBytes(boolean persistent) {
        OpenRegion region = region(persistent);
        put(region);
        long stored = expiredBy(region);
        long version = region.values().version(KEY, stored).orElseThrow();
        put(region);

        assertThat(region.expire(KEY, version)).isFalse();
        assertThat(region.region().get(KEY)).isEqualTo(RECORD);
        assertThat(region.expired()).isZero();
        assertThat(region.values().version(KEY, stored)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotRemoveAnEntryThatWasRemovedAndStoredAgain(boolean persistent) {
        OpenRegion region = region(persistent);
        put(region);
        long version = region.values().version(KEY, expiredBy(region)).orElseThrow();
        region.region().remove(KEY);
        assertThat(region.expire(KEY, version)).isFalse();
        put(region);

        assertThat(region.expire(KEY, version)).isFalse();
        assertThat(region.region().get(KEY)).isEqualTo(RECORD);
    }

    /** A refused removal must leave nothing that prevents or speeds up the next one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRemoveAnEntryThatWasStoredAgainOnceThatHasExpired(boolean persistent) {
        OpenRegion region = region(persistent);
        put(region);
        long first = region.values().version(KEY, expiredBy(region)).orElseThrow();
        put(region);
        assertThat(region.expire(KEY, first)).isFalse();
        long second = region.values().version(KEY, expiredBy(region)).orElseThrow();

        assertThat(region.expire(KEY, first)).isFalse();
        long third = region.values().version(KEY, expiredBy(region)).orElseThrow();
        assertThat(third == second).isEqualTo(!persistent);
        assertThat(region.expire(KEY, third)).isTrue();
        assertThat(region.region().containsKey(KEY)).isFalse();
        assertThat(region.expired()).isEqualTo(1);
        assertThat(region.expire(KEY, third)).isFalse();
    }

    @Test
    void shouldRemoveAnEntryWhoseVersionsBeginAgain() {
        OpenRegion region = region(true);
        put(region);
        PartitionedRegion all = (PartitionedRegion) (Region<?, ?>) region.region();
        RegionEntry entry = all.getDataStore().getLocalBucketByKey(KEY).getRegionEntry(KEY);
        setLastVersion(entry.getVersionStamp());
        long version = region.values().version(KEY, expiredBy(region)).orElseThrow();
        assertThat(version).isEqualTo(0xFFFFFF);

        assertThat(region.expire(KEY, version)).isTrue();
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // as Geode's method returns it
    private static void setLastVersion(VersionStamp stamp) {
        VersionTag tag = stamp.asVersionTag();
        tag.setEntryVersion(0xFFFFFF);
        stamp.setVersions(tag);
    }
}
