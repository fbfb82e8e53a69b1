package io.millrace.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.check.CheckCommand;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Writers;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code regions} and {@code check --against} say of the folder of a service that was stopped. */
class StoredDataCommandsTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int TRADES = 100;

    private static final String CONFIGURATION = """
            millrace:
              data: DATA
              regions:
                same: { layout: blocks, persistent: true }
                recoded: { layout: blocks, encoding: columns, block-records: 128, persistent: true }
                rekeyed: { layout: entries, key: [id, tradeDate], persistent: true }
                fresh: { layout: blocks, persistent: true }
              pipelines:
                trades:
                  feed: { generator: { count: 1 } }
                  schema: trade
                  steps:
                    - route:
                        - { when: id == 1, to: same }
                        - { when: id == 2, to: recoded }
                        - { when: id == 3, to: rekeyed }
                        - { otherwise: fresh }
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path data;
    private Path config;

    @BeforeEach
    void store() throws IOException {
        data = folder.resolve("data");
        config = Files.writeString(folder.resolve("config.yml"), CONFIGURATION.replace("DATA", data.toString()));
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(data))) {
            for (String region : List.of("same", "recoded", "renamed")) {
                write(store, new RegionDefinition(region, Layout.BLOCKS, 0, true, TRADE, List.of(), 4096));
            }
            write(store, new RegionDefinition("rekeyed", Layout.ENTRIES, 0, true, TRADE, List.of("id"), 4096));
        }
    }

    private static void write(GeodeStore store, RegionDefinition region) {
        store.open(region);
        byte[] trades = new byte[TRADES * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 5).fill(trades, 0, TRADES);
        RegionWriter writer = Writers.open(store, region.name(), "p", 0, TRADE, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(new RecordBatch(TRADE).fill(trades, 0, TRADES, 0, trades.length));
        writer.flush();
    }

    private int run(Object command, Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(List.of(arguments).stream().map(Object::toString).toArray(String[]::new));
    }

    private int removeWithAnswer(String answer, Object... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream((answer + "\n").getBytes(StandardCharsets.UTF_8)));
        try {
            return run(new RegionsCommand(), arguments);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void shouldReportBeforehandWhatCanNotGoOn() {
        assertThat(run(new CheckCommand(), "--against", data, config)).isOne();
        assertThat(out.toString())
                .startsWith("Fine: 1 pipeline, 4 regions.\nCompared with " + data + ":\n")
                .contains("  same: same\n")
                .contains("  fresh: new\n", "  trades-rejected: new\n")
                .contains(
                        "  recoded: migrated\n    encoding: 'rows' is stored, 'columns' is configured\n",
                        "    block-records: '4096' is stored, '128' is configured\n")
                .contains("  rekeyed: refused\n    Region 'rekeyed' was stored under another definition")
                .contains("      key: 'id' is stored, 'id, tradeDate' is configured\n")
                .contains("millrace regions remove rekeyed CONFIG")
                .contains("  renamed: not configured\n", "with persistent: true and schema: trade");
    }

    @Test
    void shouldBeFineWhereAllCanGoOn() throws IOException {
        Files.writeString(config, Files.readString(config).replace("[id, tradeDate]", "id"));
        assertThat(run(new CheckCommand(), "--against", data, config)).isZero();
        assertThat(out.toString()).contains("  rekeyed: same\n");
    }

    @Test
    void shouldListWhatIsStored() {
        assertThat(run(new RegionsCommand(), "list", config)).isZero();
        assertThat(out)
                .hasToString("recoded: blocks of schema trade (39 bytes, 9 fields), 1 blocks\n"
                        + "rekeyed: entries of schema trade (39 bytes, 9 fields), key id, 100 entries\n"
                        + "renamed: blocks of schema trade (39 bytes, 9 fields), 1 blocks, not configured\n"
                        + "same: blocks of schema trade (39 bytes, 9 fields), 1 blocks\n");
        assertThat(run(new RegionsCommand(), "list", "--data", data)).isZero();
        assertThat(out.toString()).contains("renamed: ").doesNotContain("not configured");
    }

    @Test
    void shouldRemoveARegionOnceThatIsConfirmed() {
        assertThat(removeWithAnswer("yes", "remove", "rekeyed", config)).isOne();
        assertThat(err).hasToString("Nothing was removed. [not-confirmed]\n");
        assertThat(removeWithAnswer("rekeyed", "remove", "rekeyed", config)).isZero();
        assertThat(out.toString()).contains("Removed: rekeyed");
        assertThat(run(new RegionsCommand(), "remove", "renamed", config, "--yes"))
                .isZero();

        assertThat(run(new CheckCommand(), "--against", data, config)).isZero();
        assertThat(out.toString()).contains("  rekeyed: new\n").doesNotContain("renamed");
    }

    @Test
    void shouldSayWhyAFolderCanNotBeRead() throws IOException {
        Path lockFile = data.resolve("millrace.lock");
        Files.writeString(lockFile, "host-1 (process 4711) since 2026-11-22T08:00:00Z\n");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            assertThat(run(new RegionsCommand(), "list", config)).isOne();
            assertThat(err)
                    .hasToString("Folder '" + data + "' is in use by host-1 (process 4711) since 2026-11-22T08:00:00Z."
                            + " A data folder belongs to one process: stop that one, or name another folder."
                            + " [locked-folder]\n");
        }
        assertThat(run(new RegionsCommand(), "list", "--data", folder)).isOne();
        assertThat(err.toString())
                .contains("Folder '" + folder + "' holds no data of Millrace.")
                .endsWith(" [unusable-store]\n");
        assertThat(run(new RegionsCommand(), "remove", "nothing", config, "--yes"))
                .isOne();
        assertThat(err.toString())
                .contains("Nothing is stored under the name 'nothing'.")
                .endsWith(" [unknown-name]\n");
        assertThat(run(new CheckCommand(), "--against", "http://127.0.0.1:1", config))
                .isOne();
        assertThat(err.toString())
                .contains("No answer from http://127.0.0.1:1: ")
                .endsWith(" [no-answer]\n");
    }
}
