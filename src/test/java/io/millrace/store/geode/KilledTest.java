package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ChildJvm;
import io.millrace.TestTimeout;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledTest {

    private static final int RECORDS = 1000;
    private static final int BLOCK_RECORDS = 8;

    @TempDir
    Path folder;

    @Test
    void shouldHoldEachRecordOnceAfterTheProcessDied() throws Exception {
        for (int diesAfter : new int[] {130, 131, 477}) {
            die(Retention.FOREVER, diesAfter);
        }

        try (GeodeStore store = Dying.open(folder, Retention.FOREVER)) {
            assertThat(Dying.writer(store).covered() / Trades.LENGTH).isBetween(400L, 477L);
            Dying.write(store, RECORDS);
            assertThat(StoredBlocks.ids("blocks", "trades", 0)).isEqualTo(ids(0));
        }
    }

    @Test
    void shouldHoldTheEndOfTheFeedOnceWhereOldBlocksWentBefore() throws Exception {
        int blocks = Retention.NEWEST_BLOCKS + 8;
        Retention retention =
                new Retention(null, (long) blocks * (BlockFormat.HEADER_LENGTH + BLOCK_RECORDS * Trades.LENGTH));
        for (int diesAfter : new int[] {477, 601}) {
            die(retention, diesAfter);
        }

        try (GeodeStore store = Dying.open(folder, retention)) {
            assertThat(Dying.writer(store).covered() / Trades.LENGTH).isBetween(500L, 601L);
            List<Long> held = StoredBlocks.ids("blocks", "trades", 0);
            assertThat(held.getFirst()).isPositive();
            assertThat(held).isEqualTo(ids(held.getFirst()).subList(0, held.size()));

            Dying.write(store, RECORDS);
            List<Long> end = StoredBlocks.ids("blocks", "trades", 0);
            assertThat(end.size()).isBetween(Retention.NEWEST_BLOCKS, blocks * BLOCK_RECORDS);
            assertThat(end).isEqualTo(ids(end.getFirst()));
        }
    }

    private static List<Long> ids(long first) {
        return LongStream.range(first, RECORDS).boxed().toList();
    }

    private void die(Retention retention, int diesAfter) throws Exception {
        List<String> command = ChildJvm.command(Dying.class, folder.toString(), String.valueOf(diesAfter));
        if (retention.bytes() != null) {
            command.add(retention.bytes().toString());
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.INHERIT)
                .start();
        try {
            assertThat(process.waitFor(TestTimeout.MAX)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(Dying.EXIT);
    }

    /** Writes up to some record and dies without closing anything. */
    static final class Dying {

        static final int EXIT = 42;

        private Dying() {}

        static void main(String[] args) {
            Retention retention = args.length == 2 ? Retention.FOREVER : new Retention(null, Long.parseLong(args[2]));
            write(open(Path.of(args[0]), retention), Integer.parseInt(args[1]));
            Runtime.getRuntime().halt(EXIT);
        }

        static GeodeStore open(Path folder, Retention retention) {
            GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder));
            store.open(new RegionDefinition(
                    "blocks",
                    Layout.BLOCKS,
                    0,
                    true,
                    Trades.SCHEMA,
                    List.of(),
                    null,
                    BLOCK_RECORDS,
                    BlockEncoding.ROWS,
                    retention,
                    Memory.HEAP));
            return store;
        }

        static RegionWriter writer(GeodeStore store) {
            return Writers.open(store, "blocks", "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
                throw new AssertionError(reason.toString());
            });
        }

        /** Replays the feed from its start, in batches of 50; flushes after every second, and lets old blocks go. */
        static void write(GeodeStore store, int end) {
            RegionWriter writer = writer(store);
            byte[] feed = Trades.feed(end);
            for (int first = 0; first < end; first += 50) {
                int to = Math.min(first + 50, end);
                writer.append(Trades.batch(feed, first, to));
                writer.advance((long) to * Trades.LENGTH);
                if (first / 50 % 2 == 1) {
                    writer.flush();
                    store.sweep(System.currentTimeMillis());
                }
            }
        }
    }
}
