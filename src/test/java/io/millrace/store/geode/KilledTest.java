package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.Layout;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionWriter;
import io.millrace.store.Trades;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledTest {

    private static final int RECORDS = 1000;

    @TempDir
    Path folder;

    @Test
    void shouldHoldEachRecordOnceAfterTheProcessDied() throws Exception {
        for (int diesAfter : new int[] {130, 131, 477}) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(argument -> argument.startsWith("--"))
                    .forEach(command::add);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Dying.class.getName()));
            command.addAll(List.of(folder.toString(), String.valueOf(diesAfter)));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.INHERIT)
                    .start();
            try {
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).isEqualTo(Dying.EXIT);
        }

        try (GeodeStore store = Dying.open(folder)) {
            RegionWriter writer = Dying.writer(store);
            assertThat(writer.covered() / Trades.LENGTH).isBetween(400L, 477L);
            Dying.write(writer, RECORDS);
            writer.flush();
            assertThat(StoredBlocks.ids("blocks", "trades", 0))
                    .isEqualTo(LongStream.range(0, RECORDS).boxed().toList());
        }
    }

    /** Writes up to some record and dies without closing anything. */
    static final class Dying {

        static final int EXIT = 42;

        private Dying() {}

        static void main(String[] args) {
            write(writer(open(Path.of(args[0]))), Integer.parseInt(args[1]));
            Runtime.getRuntime().halt(EXIT);
        }

        static GeodeStore open(Path folder) {
            GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder));
            store.open(new RegionDefinition("blocks", Layout.BLOCKS, 0, true, Trades.SCHEMA, List.of(), 16));
            return store;
        }

        static RegionWriter writer(GeodeStore store) {
            return store.writer("blocks", "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
                throw new AssertionError(reason.toString());
            });
        }

        /** Replays the feed from its start, in batches of 50, and flushes after every second. */
        static void write(RegionWriter writer, int end) {
            byte[] feed = Trades.feed(end);
            for (int first = 0; first < end; first += 50) {
                int to = Math.min(first + 50, end);
                writer.append(Trades.batch(feed, first, to));
                writer.coverUpTo((long) to * Trades.LENGTH);
                if (first / 50 % 2 == 1) {
                    writer.flush();
                }
            }
        }
    }
}
