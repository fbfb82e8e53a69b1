package io.millrace.store.geode.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.geode.cache.CacheLoader;
import org.apache.geode.cache.CacheLoaderException;
import org.apache.geode.cache.LoaderHelper;
import org.apache.geode.cache.Region;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionMapTest {

    @SuppressWarnings("NullAway.Init") // set before each test
    private PeerCache cache;

    @SuppressWarnings("NullAway.Init")
    private Region<String, String> region;

    @SuppressWarnings("NullAway.Init")
    private RegionMap<String> map;

    @BeforeEach
    void open() {
        cache = new PeerCache(GeodeOptions.inMemory());
        region = cache.shared("test", false, false, null);
        map = new RegionMap<>(cache, region);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void shouldReadManyValues() {
        Map<String, String> expected = new HashMap<>();
        for (int i = 0; i < 2_500; i++) {
            map.putOwn("key-" + i, "value-" + i);
            expected.put("key-" + i, "value-" + i);
        }
        assertThat(map.getAll(_ -> true)).isEqualTo(expected);
        assertThat(map.getAll(List.of("key-7", "none", "key-2400")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("key-7", "value-7", "key-2400", "value-2400"));
        assertThat(map.getAll(List.of())).isEmpty();
    }

    /** Geode logs it and leaves the key out, as if it had no value. A commit would be missing then. */
    @Test
    void shouldFailIfOneValueIsNotReadable() {
        map.putOwn("good", "value");
        region.getAttributesMutator().setCacheLoader(new CacheLoader<>() {
            @Override
            public String load(LoaderHelper<String, String> helper) {
                throw new CacheLoaderException("not readable");
            }
        });
        assertThat(region.getAll(List.of("good", "bad"))).containsOnlyKeys("good");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> map.getAll(List.of("good", "bad")))
                .withMessageContaining("bad");
    }
}
