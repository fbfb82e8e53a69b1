package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.region.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;

/** What a region of blocks holds, read straight from Geode. */
public final class StoredBlocks {

    private StoredBlocks() {}

    public static Region<Object, byte[]> region(String name) {
        return CacheFactory.getAnyInstance().getRegion(name);
    }

    /** All blocks that one partition of a pipeline wrote, in order; their ranges of the feed must meet. */
    public static List<Block> of(String name, String pipeline, int partition) {
        long first = Writers.firstKey(name, pipeline, partition);
        List<Block> blocks = region(name).keySet().stream()
                .map(Long.class::cast)
                .filter(key -> BlockKey.sameWriter(key, first))
                .sorted()
                .map(key -> Block.open(Objects.requireNonNull(region(name).get(key)), Trades.SCHEMA))
                .toList();
        for (int i = 1; i < blocks.size(); i++) {
            assertThat(blocks.get(i).from()).isEqualTo(blocks.get(i - 1).to());
        }
        return blocks;
    }

    /** Ids of all records in those blocks, in order. */
    public static List<Long> ids(String name, String pipeline, int partition) {
        List<Long> ids = new ArrayList<>();
        for (Block block : of(name, pipeline, partition)) {
            for (int i = 0; i < block.count(); i++) {
                ids.add(Trades.id(block.bytes(), BlockFormat.HEADER_LENGTH + i * block.recordLength()));
            }
        }
        return ids;
    }
}
