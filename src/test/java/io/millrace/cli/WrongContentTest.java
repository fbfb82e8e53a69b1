package io.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.convert.ConvertCommand;
import io.millrace.cli.table.TableCommand;
import io.millrace.pipeline.TradeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Files whose content is something else than the commands expect. */
class WrongContentTest {

    private static final Path CSV = Path.of("examples/trades.csv");
    private static final Path DESKS = Path.of("examples/reference/desks.csv");

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();
    private Path records;

    @BeforeEach
    void makeRecords() throws IOException {
        records = TradeFile.write(folder.resolve("records"), TradeFile.random(1000, 5));
    }

    @Test
    void shouldCheckWhatTheFileOfAFeedContains() throws IOException {
        assertThat(checkFeed(Files.readAllBytes(records))).as(err::toString).isZero();
        assertThat(checkFeed(new byte[0])).as(err::toString).isZero();
        assertThat(checkFeed(gzip(Files.readAllBytes(records)))).isOne();
        assertThat(err.toString())
                .contains(
                        "millrace.pipelines.trades.feed.file (config.yml:5:21)",
                        "trades.bin' is gzip-compressed. Decompress it first: gunzip -c < ");
        assertThat(checkFeed(Files.readAllBytes(CSV))).isOne();
        assertThat(err.toString())
                .contains(
                        "trades.bin' is text, not binary records.",
                        "millrace convert --schema trade --from csv --to bin ");
        assertThat(checkFeed("{\"id\": 1, \"buySell\": \"Buy\"}\n".repeat(5).getBytes(UTF_8)))
                .isOne();
        assertThat(err.toString()).contains("trades.bin' is JSON, not binary records.");
    }

    @Test
    void shouldNotConvertCompressedOrBinaryBytesAsCsv() throws IOException {
        Path csv = Files.write(folder.resolve("in.csv"), gzip(Files.readAllBytes(CSV)));
        assertThat(convert(csv, "out.bin")).isOne();
        assertThat(err.toString()).contains("in.csv' is gzip-compressed. Decompress it first: gunzip -c < ");
        Files.copy(records, csv, REPLACE_EXISTING);
        assertThat(convert(csv, "out.bin")).isOne();
        assertThat(err.toString()).contains("in.csv' is binary, not text.", "--from bin");
        Files.write(csv, Files.readString(CSV).getBytes(UTF_16));
        assertThat(convert(csv, "out.bin")).isOne();
        assertThat(err.toString())
                .contains("in.csv' is UTF-16 text. Convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8 ");
        assertThat(folder.resolve("out.bin")).doesNotExist();
    }

    @Test
    void shouldNotConvertTextOrCompressedBytesAsRecords() throws IOException {
        Path bin = Files.copy(CSV, folder.resolve("in.bin"));
        assertThat(convert(bin, "out.csv")).isOne();
        assertThat(err.toString()).contains("in.bin' is text, not binary records.");
        Files.write(bin, gzip(Files.readAllBytes(records)));
        assertThat(convert(bin, "out.csv")).isOne();
        assertThat(err.toString()).contains("in.bin' is gzip-compressed.");
        assertThat(folder.resolve("out.csv")).doesNotExist();
        Files.copy(records, bin, REPLACE_EXISTING);
        assertThat(convert(bin, "out.csv")).as(err::toString).isZero();
    }

    @Test
    void shouldNotBuildATableOfWhatIsNotRows() throws IOException {
        assertThat(table("desks.csv", Files.readAllBytes(DESKS)))
                .as(err::toString)
                .isZero();
        assertThat(table("zipped.csv", gzip(Files.readAllBytes(DESKS)))).isOne();
        assertThat(err.toString()).contains("zipped.csv' is gzip-compressed.");
        assertThat(table("zipped.jsonl", gzip("{\"id\":1}\n".getBytes(UTF_8)))).isOne();
        assertThat(err.toString()).contains("zipped.jsonl' is gzip-compressed.");
        assertThat(table("records.csv", Files.readAllBytes(records))).isOne();
        assertThat(err.toString()).contains("records.csv' is binary, not text.");
        assertThat(table("text.bin", Files.readAllBytes(CSV), "--schema", "trade"))
                .isOne();
        assertThat(err.toString()).contains("text.bin' is text, not binary records.");
        assertThat(table("json.csv", "{\"id\":1,\"name\":\"a\"}\n".getBytes(UTF_8)))
                .isOne();
        assertThat(err.toString()).contains("json.csv' is JSON, not CSV.", ".jsonl");
    }

    private int checkFeed(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("trades.bin"), content);
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions: { kept: { layout: blocks } }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps: [ { to: kept } ]
                """.formatted(file));
        return run(new CheckCommand(), config);
    }

    private int convert(Path in, String out) {
        return run(new ConvertCommand(), "--schema", "trade", in, folder.resolve(out));
    }

    private int table(String name, byte[] content, Object... more) throws IOException {
        Path file = Files.write(folder.resolve(name), content);
        Object[] all =
                Arrays.copyOf(new Object[] {"build", "--key", "id", file, folder.resolve("t.table")}, 5 + more.length);
        System.arraycopy(more, 0, all, 5, more.length);
        return run(new TableCommand(), all);
    }

    private int run(Object command, Object... arguments) {
        err.getBuffer().setLength(0);
        return new CommandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }
}
