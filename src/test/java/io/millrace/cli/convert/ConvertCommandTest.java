package io.millrace.cli.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ConvertCommandTest {

    private static final Path TRADES = Path.of("examples/trades.csv");
    private static final String HEADER =
            "ID,TradeDate,BuySell,Currency1,Amount1,Exchange Rate,Currency2,Amount2,Settlement Date\n";
    private static final String GOOD = "1,21/07/2014,Buy,EUR,50000000.00,1.344,USD,67200000.00,28/07/2014\n";

    @TempDir
    private Path folder;

    private Path csv;
    private Path bin;
    private String err = "";

    @BeforeEach
    void names() {
        csv = folder.resolve("t.csv");
        bin = folder.resolve("t.bin");
    }

    private int convert(Object... arguments) {
        StringWriter text = new StringWriter();
        String[] all = Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new);
        int exit = new CommandLine(new ConvertCommand())
                .setErr(new PrintWriter(text))
                .setOut(new PrintWriter(text))
                .execute(all);
        err = text.toString().replace(folder + "/", "");
        return exit;
    }

    private int convertTrades(String content, Object... more) throws IOException {
        Files.writeString(csv, content);
        Object[] all = Arrays.copyOf(new Object[] {"--schema", "trade", csv, bin}, 4 + more.length);
        System.arraycopy(more, 0, all, 4, more.length);
        return convert(all);
    }

    @Test
    void shouldRoundTripTheSampleTrades() throws IOException {
        assertThat(convert("--schema", "trade", TRADES, bin)).isZero();
        assertThat(bin).hasSize(10 * 39);
        assertThat(convert("--schema", "trade", bin, csv)).isZero();

        assertThat(csv).hasSameTextualContentAs(TRADES);
        assertThat(err).isEmpty();
        assertThat(folder).isDirectoryNotContaining(file -> file.toString().endsWith(".part"));
    }

    @Test
    void shouldRefuseToMakeTaggedRecords() throws IOException {
        Files.writeString(csv, "");

        assertThat(convert("--schema", "radius-accounting", csv, bin)).isOne();
        assertThat(err)
                .isEqualTo("Schema 'radius-accounting' has the layout 'tagged', whose records can only be read."
                        + " Convert binary records to CSV or JSON lines, or use a schema of the fixed or the"
                        + " compact layout. [schema-mismatch]\n");
        assertThat(bin).doesNotExist();
    }

    @Test
    void shouldReadWhatOtherProgramsWrite() throws IOException {
        String odd = """
                id,exchange rate,buysell,"Currency1",amount1,TRADEDATE,Currency2,Amount2,settlementDate

                1,1.344,"Buy",EUR,"50000000.00",21/07/2014,USD,67200000,28/07/2014

                """.replace("\n", "\r\n");
        assertThat(convertTrades("\uFEFF" + odd)).isZero();
        byte[] converted = Files.readAllBytes(bin);

        assertThat(convertTrades(HEADER + GOOD)).isZero();
        assertThat(converted).isEqualTo(Files.readAllBytes(bin));
    }

    @Test
    void shouldReportAllBadLinesAndReplaceNothing() throws IOException {
        Files.writeString(bin, "as it was");

        assertThat(convertTrades(HEADER
                        + GOOD
                        + "2,31/02/2014,Hold,XXX,1.005,1.3.4,USD,1.00,28/07/2150\n"
                        + "\n"
                        + "3,21/07/2014,Buy\n"))
                .isEqualTo(1);

        assertThat(err).isEqualTo("""
                t.csv: line 3: Invalid value '31/02/2014' in column 2 (TradeDate). Use a date of the form dd/MM/yyyy. [invalid-value]
                t.csv: line 3: Invalid value 'Hold' in column 3 (BuySell). Use one of: 'Sell', 'Buy'. [invalid-value]
                t.csv: line 3: Invalid value 'XXX' in column 4 (Currency1). Use one of: '', 'AUD', 'CAD', 'CHF', 'EUR' and 3 more. [invalid-value]
                t.csv: line 3: Invalid value '1.005' in column 5 (Amount1). Use at most 2 decimals, not 3. [invalid-value]
                t.csv: line 3: Invalid value '1.3.4' in column 6 (Exchange Rate). Use a number, such as 1234.5. [invalid-value]
                t.csv: line 3: Invalid value '2150-07-28' in column 9 (Settlement Date). Use 1970-01-01 to 2149-06-06. [invalid-value]
                t.csv: line 5: Invalid number of columns: 3. Write 9, as in the header. [invalid-value]
                2 of 3 records could not be converted. Nothing was written. To write the others, use --rejects FILE.
                """);
        assertThat(bin).hasContent("as it was");
        assertThat(folder).isDirectoryNotContaining(file -> file.toString().endsWith(".part"));
    }

    @Test
    void shouldKeepRejectsAndGoOn() throws IOException {
        Path rejects = folder.resolve("rejects.csv");

        assertThat(convertTrades(HEADER + "2,21/07/2014,Hold,\"\",\"1,5\"\n" + GOOD, "--rejects", rejects))
                .isZero();

        assertThat(bin).hasSize(39);
        assertThat(rejects)
                .hasContent(
                        "\"line 2: Invalid number of columns: 5. Write 9, as in the header. [invalid-value]\",2,21/07/2014,Hold,,\"1,5\"\n");
        assertThat(err).endsWith("1 of 2 records could not be converted. See 'rejects.csv'.\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ID       | Ident    | t.csv: line 1: Unknown column 1: 'Ident'.
            ID       | TradeDat | t.csv: line 1: Unknown column 1: 'TradeDat'. Did you mean 'tradedate'?
            ID,      | ''       | t.csv: line 1: Missing column 'ID'. Add it. [invalid-csv]
            ID       | BuySell  | t.csv: line 1: Duplicate column 3: 'BuySell' is column 1 too. Remove one. [invalid-csv]
            """)
    void shouldRefuseAHeaderThatDoesNotMatch(String from, String to, String problem) throws IOException {
        assertThat(convertTrades(HEADER.replaceFirst(from, to) + GOOD)).isEqualTo(1);

        assertThat(err).contains(problem);
        assertThat(bin).doesNotExist();
    }

    @Test
    void shouldRefuseWhatIsNoCsv() throws IOException {
        assertThat(convertTrades("")).isEqualTo(1);
        assertThat(err)
                .startsWith("t.csv: line 1: Missing header of schema 'trade'. Write the names of the columns: ID,");

        Files.write(csv, ("é" + HEADER).getBytes(StandardCharsets.ISO_8859_1));
        assertThat(convert("--schema", "trade", csv, bin)).isEqualTo(1);
        assertThat(err).isEqualTo("t.csv: line 1: Invalid characters. Use UTF-8. [invalid-csv]\n");

        assertThat(convertTrades("\n\r\n" + HEADER.replace("ID", "Ident") + GOOD))
                .isEqualTo(1);
        assertThat(err).startsWith("t.csv: line 3: Unknown column 1: 'Ident'");
    }

    @Test
    void shouldRejectALineThatIsNotUtf8() throws IOException {
        Files.write(csv, (HEADER + GOOD + "2,é\n" + GOOD).getBytes(StandardCharsets.ISO_8859_1));
        assertThat(convert("--schema", "trade", csv, bin)).isEqualTo(1);
        assertThat(err).isEqualTo("""
                t.csv: line 3: Invalid characters. Use UTF-8. [invalid-value]
                1 of 3 records could not be converted. Nothing was written. To write the others, use --rejects FILE.
                """);
        assertThat(bin).doesNotExist();
        Path rejects = folder.resolve("rejects.csv");
        assertThat(convert("--schema", "trade", csv, bin, "--rejects", rejects)).isZero();
        assertThat(bin).hasSize(2 * 39);
        assertThat(rejects).hasContent("line 3: Invalid characters. Use UTF-8. [invalid-value],\"2,\\xE9\"\n");
    }

    @Test
    void shouldReportRecordsThatCannotBeDecodedAndBytesLeftOver() throws IOException {
        convert("--schema", "trade", TRADES, bin);
        byte[] records = Arrays.copyOf(Files.readAllBytes(bin), 2 * 39 + 5);
        records[39 + 10] = 7;
        records[39 + 11] = 99;
        Files.write(bin, records);

        assertThat(convert("--schema", "trade", bin, csv)).isEqualTo(1);
        assertThat(err).isEqualTo("""
                t.bin: byte 39: Invalid value '7' of 'buySell'. No name of the dictionary has this code. [invalid-value]
                t.bin: byte 39: Invalid value '99' of 'currency1'. No name of the dictionary has this code. [invalid-value]
                t.bin: byte 78: Truncated record: 5 of 39 bytes. [truncated]
                2 of 3 records could not be converted. Nothing was written. To write the others, use --rejects FILE.
                """);
        assertThat(csv).doesNotExist();

        Path rejects = folder.resolve("rejects.csv");
        assertThat(convert("--schema", "trade", bin, csv, "--rejects", rejects)).isZero();
        assertThat(csv).hasContent(HEADER + GOOD);
        assertThat(Files.readAllLines(rejects)).hasSize(2).last().asString().endsWith(",0000000000");
    }

    @Test
    void shouldDistinguishWrongUsageFromWrongInput() {
        assertThat(convert("--schema", "trade", "a.csv", "b.csv")).isEqualTo(2);
        assertThat(convert("--schema", "trade", "a.txt", "b.bin")).isEqualTo(2);
        assertThat(convert("a.csv", "b.bin")).isEqualTo(2);
        assertThat(convert("--schema", "trad", TRADES, bin)).isEqualTo(1);
        assertThat(err)
                .isEqualTo(
                        "Unknown schema 'trad'. Did you mean 'trade'? Use one of: order, radius-accounting, reject, trade, or put"
                                + " trad.yml into the folder of schemas. [unknown-schema]\n");
        assertThat(convert("--schema", "trade", folder.resolve("no.csv"), bin)).isEqualTo(1);
        assertThat(err).isEqualTo("File not found: 'no.csv'. [unreadable-file]\n");
    }

    @Test
    void shouldTakeTheDirectionFromOptions() throws IOException {
        Path plain = folder.resolve("plain");
        assertThat(convert("--schema", "trade", TRADES, plain, "--to", "bin")).isZero();
        assertThat(convert("--schema", "trade", "--from", "bin", plain, csv)).isZero();

        assertThat(csv).hasSameTextualContentAs(TRADES);
    }

    @Test
    void shouldUseSchemasOfAFolder() throws IOException {
        Files.writeString(folder.resolve("tick.yml"), "schema: tick\nfields: [{ name: a, type: u8 }]\n");
        Files.writeString(csv, "a\n5\n");

        assertThat(convert("--schemas", folder, "--schema", "tick", csv, bin)).isZero();
        assertThat(bin).hasBinaryContent(new byte[] {5});

        Files.writeString(folder.resolve("tick.yml"), "schema: tick\nfields: [{ name: a, type: u9 }]\n");
        assertThat(convert("--schemas", folder, "--schema", "tick", csv, bin)).isEqualTo(1);
        assertThat(err).startsWith("tick.yml:2: Field 'a': Unknown type 'u9'. Did you mean 'u8'? Use one of: boolean,");
    }

    @Test
    void shouldConvertGeneratedTradesAndBack() throws IOException {
        int trades = TestBudget.of(1_000_000);
        Path again = folder.resolve("again.bin");
        assertThat(new CommandLine(new GenerateCommand())
                        .execute(
                                "--schema", "trade", "--count", String.valueOf(trades), "--seed", "42", bin.toString()))
                .isZero();

        assertThat(convert("--schema", "trade", bin, csv)).isZero();
        assertThat(convert("--schema", "trade", csv, again)).isZero();

        assertThat(again).hasSameBinaryContentAs(bin).hasSize(39L * trades);
    }
}
