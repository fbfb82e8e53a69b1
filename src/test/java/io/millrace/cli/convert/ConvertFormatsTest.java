package io.millrace.cli.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Conversions between CSV, JSON lines and binary records keep every value. */
class ConvertFormatsTest {

    private static final String FLAT = """
            schema: flat
            layout: compact
            fields:
              - { name: id, type: u32 }
              - { name: text, type: string, length: 20, charset: utf8, optional: true }
              - { name: price, type: decimal, scale: 2, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 8 }
                  - { name: size, type: u16, optional: true }
            """;

    private static final String NESTED = """
              - name: legs
                type: group
                repeat: 5
                fields:
                  - { name: amount, type: i64 }
                  - { name: days, type: u8, repeat: 5 }
            """;

    @TempDir
    private Path folder;

    private String err = "";

    @BeforeEach
    void writeSchemas() throws IOException {
        Files.writeString(folder.resolve("flat.yml"), FLAT);
        Files.writeString(folder.resolve("nested.yml"), FLAT.replace("schema: flat", "schema: nested") + NESTED);
    }

    private int convert(String schema, Object from, String to, String... more) {
        StringWriter text = new StringWriter();
        String[] all = Arrays.copyOf(
                new String[] {
                    "--schemas",
                    folder.toString(),
                    "--schema",
                    schema,
                    from.toString(),
                    folder.resolve(to).toString()
                },
                6 + more.length);
        System.arraycopy(more, 0, all, 6, more.length);
        int exit = new CommandLine(new ConvertCommand())
                .setErr(new PrintWriter(text))
                .setOut(new PrintWriter(text))
                .execute(all);
        err = text.toString().replace(folder + "/", "");
        return exit;
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void converted(String schema, Object from, String to) {
        assertThat(convert(schema, from, to)).as(err).isZero();
        assertThat(err).isEmpty();
    }

    @Test
    void shouldConvertFixedRecordsBetweenAllFormats() {
        Path trades = Path.of("examples/trades.csv");
        converted("trade", trades, "1.jsonl");
        converted("trade", file("1.jsonl"), "2.bin");
        converted("trade", file("2.bin"), "3.csv");
        converted("trade", file("3.csv"), "4.bin");
        converted("trade", file("4.bin"), "5.jsonl");
        converted("trade", file("5.jsonl"), "6.csv");
        assertThat(file("3.csv")).hasSameTextualContentAs(trades);
        assertThat(file("6.csv")).hasSameTextualContentAs(trades);
        assertThat(file("4.bin")).hasSameBinaryContentAs(file("2.bin")).hasSize(10 * 39);
        assertThat(file("5.jsonl")).hasSameBinaryContentAs(file("1.jsonl"));
    }

    @Test
    void shouldConvertRandomCompactRecordsBetweenAllFormats() throws IOException {
        Random random = new Random(3);
        StringBuilder lines = new StringBuilder();
        StringBuilder nested = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            String flat = flat(random, i);
            lines.append(flat).append("}\n");
            nested.append(flat).append(legs(random)).append("}\n");
        }
        Files.writeString(file("1.jsonl"), lines);
        converted("flat", file("1.jsonl"), "1.bin");
        converted("flat", file("1.bin"), "2.csv");
        converted("flat", file("2.csv"), "3.bin");
        converted("flat", file("3.bin"), "4.jsonl");
        converted("flat", file("4.jsonl"), "5.csv");
        assertThat(file("3.bin")).hasSameBinaryContentAs(file("1.bin"));
        assertThat(file("5.csv")).hasSameBinaryContentAs(file("2.csv"));
        assertThat(Files.readAllLines(file("2.csv")))
                .hasSize(501)
                .first()
                .isEqualTo("id,text,price,party.name,party.size");

        Files.writeString(file("6.jsonl"), nested);
        converted("nested", file("6.jsonl"), "6.bin");
        converted("nested", file("6.bin"), "7.jsonl");
        converted("nested", file("7.jsonl"), "8.bin");
        assertThat(file("8.bin")).hasSameBinaryContentAs(file("6.bin"));
        assertThat(Files.readAllLines(file("7.jsonl"))).hasSize(500);
    }

    /** From JSON, conditions are checked on rows of all fields; to JSON, on rows of the fields that they read. */
    @Test
    void shouldRefuseTheSameRecordsInBothDirections() throws IOException {
        Files.writeString(
                folder.resolve("checked.yml"), FLAT.replace("schema: flat", "schema: checked") + NESTED + """
                constraints:
                  - { name: priced, condition: price != null || id % 3 != 0 }
                  - { name: positive, each: legs, condition: amount > 0 || days.size() > 0 }
                """);
        Random random = new Random(7);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            lines.append(flat(random, i)).append(legs(random)).append("}\n");
        }
        Files.writeString(file("1.jsonl"), lines);
        String bad = file("bad.csv").toString();
        assertThat(convert("checked", file("1.jsonl"), "1.bin", "--rejects", bad))
                .isZero();
        List<String> refused = reasons();
        converted("nested", file("1.jsonl"), "2.bin");
        assertThat(convert("checked", file("2.bin"), "2.jsonl", "--rejects", bad))
                .isZero();
        assertThat(reasons()).isEqualTo(refused).hasSizeBetween(100, 900);
        assertThat(refused).anySatisfy(reason -> assertThat(reason).contains("legs[2]"));
        converted("checked", file("1.bin"), "3.jsonl");
        assertThat(file("2.jsonl")).hasSameBinaryContentAs(file("3.jsonl"));
    }

    /** Returns the messages without the places. */
    private List<String> reasons() {
        return err.lines()
                .map(line -> line.replaceFirst(".*(line|byte) \\d+: ", ""))
                .filter(line -> line.startsWith("Con") || line.startsWith("Inv"))
                .toList();
    }

    private static String flat(Random random, int id) {
        StringBuilder json = new StringBuilder("{\"id\":" + id);
        if (random.nextBoolean()) {
            json.append(",\"text\":\"")
                    .append(random.nextBoolean() ? "ä,b\\\"c" : "x")
                    .append('"');
        }
        if (random.nextBoolean()) {
            json.append(",\"price\":").append((random.nextInt(20_000) - 10_000) / 100.0);
        }
        if (random.nextBoolean()) {
            json.append(",\"party\":{\"name\":\"n\"");
            json.append(random.nextBoolean() ? ",\"size\":" + random.nextInt(65_536) : "")
                    .append('}');
        }
        return json.toString();
    }

    private static String legs(Random random) {
        StringBuilder json = new StringBuilder(",\"legs\":[");
        int legs = random.nextInt(6);
        for (int i = 0; i < legs; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"amount\":")
                    .append(random.nextLong())
                    .append(",\"days\":[");
            json.append(random.nextBoolean() ? "1,255" : "").append("]}");
        }
        return json.append(']').toString();
    }

    @Test
    void shouldRefuseListsAsCsv() throws IOException {
        Files.writeString(file("1.jsonl"), "{\"id\":1,\"legs\":[]}\n");
        converted("nested", file("1.jsonl"), "1.bin");
        assertThat(convert("nested", file("1.bin"), "2.csv")).isOne();
        assertThat(err)
                .contains(
                        "Schema 'nested' has the list 'legs', which CSV can't hold. Use JSON lines: --to json. [schema-mismatch]");
        assertThat(file("2.csv")).doesNotExist();
    }

    @Test
    void shouldRefuseRecordsThatBlankCellsWouldChange() throws IOException {
        Files.writeString(
                file("1.jsonl"),
                "{\"id\":1,\"text\":\"\"}\n{\"id\":2,\"party\":{\"name\":\"\"}}\n{\"id\":3,\"text\":\" \"}\n");
        converted("flat", file("1.jsonl"), "1.bin");
        assertThat(convert("flat", file("1.bin"), "2.csv")).isOne();
        assertThat(err)
                .contains("1.bin: byte 0: Invalid value '' of 'text': a blank cell of CSV means that it is absent."
                        + " Use JSON lines. [invalid-value]\n")
                .contains(
                        "Empty group 'party': blank cells of CSV mean that it is missing. Use JSON lines. [invalid-value]\n")
                .contains("2 of 3 records");
        assertThat(file("2.csv")).doesNotExist();
    }

    @Test
    void shouldRejectTheLineOfAQuoteThatIsNotClosed() throws IOException {
        Files.writeString(file("1.csv"), "id,text,party.name\n1,a,\n\n2,\"b\nc\",\n3,\"d\n4,e,\n5,\"f\"g,\n6,h,\n");
        assertThat(convert(
                        "flat",
                        file("1.csv"),
                        "1.jsonl",
                        "--rejects",
                        file("bad.csv").toString()))
                .isZero();
        assertThat(err).isEqualTo("""
                1.csv: line 6: Missing quote at the end of a value. Close it. [invalid-value]
                1.csv: line 8: Invalid CSV. Write a value with quotes or line breaks in quotes, and each of its quotes \
                twice. [invalid-value]
                2 of 6 records could not be converted. See 'bad.csv'.
                """);
        assertThat(file("1.jsonl")).hasContent("""
                {"id":1,"text":"a","price":null,"party":null}
                {"id":2,"text":"b\\nc","price":null,"party":null}
                {"id":4,"text":"e","price":null,"party":null}
                {"id":6,"text":"h","price":null,"party":null}""");
        assertThat(file("bad.csv")).hasContent("""
                line 6: Missing quote at the end of a value. Close it. [invalid-value],"3,""d"
                "line 8: Invalid CSV. Write a value with quotes or line breaks in quotes, and each of its quotes twice. \
                [invalid-value]","5,""f""g,"
                """);
    }

    /** As {@code check} and the feed read them, too. */
    @Test
    void shouldReadAnyLineEnds() throws IOException {
        String lf = "id,text,party.name\n1,a,\n2,\"b\",c\n3,d,\n";
        Files.writeString(file("1.csv"), lf);
        converted("flat", file("1.csv"), "1.jsonl");
        for (String text : List.of(
                lf.replace("\n", "\r"),
                lf.replace("\n", "\r\n"),
                lf.replaceFirst("\n", "\r"),
                lf.replaceFirst("\n", "\r\r\n").stripTrailing())) {
            Files.writeString(file("2.csv"), text);
            converted("flat", file("2.csv"), "2.jsonl");
            assertThat(file("2.jsonl")).hasSameTextualContentAs(file("1.jsonl"));
        }
        Files.writeString(file("2.jsonl"), Files.readString(file("1.jsonl")).replace("\n", "\r"));
        converted("flat", file("2.jsonl"), "3.csv");
        converted("flat", file("3.csv"), "3.jsonl");
        assertThat(file("3.jsonl")).hasSameTextualContentAs(file("1.jsonl"));
    }

    @Test
    void shouldReadQuotesAtTheEnd() throws IOException {
        Files.writeString(file("1.csv"), "id,party.name,text\n1,,a\"b\n2,,\"\"\"\"\r\n3,,\"d\"");
        converted("flat", file("1.csv"), "2.jsonl");
        assertThat(file("2.jsonl")).hasContent("""
                {"id":1,"text":"a\\"b","price":null,"party":null}
                {"id":2,"text":"\\"","price":null,"party":null}
                {"id":3,"text":"d","price":null,"party":null}""");
    }

    @Test
    void shouldConvertTaggedRecordsToText() throws IOException {
        Files.writeString(file("call.yml"), """
                schema: call
                layout: tagged
                header: 1
                elements: { tag: 1, length: 1 }
                fields:
                  - { name: code, type: u8, at: 0 }
                  - { name: start, type: u16, tag: 1 }
                  - { name: caller, type: string, length: 8, tag: 2 }
                constraints:
                  - { name: started, condition: start != 9 }
                """);
        byte[] records = {
            0, 0, 0, 9, 4, 1, 4, 1, 0, 2, 4, 'a', ',', //
            0, 0, 0, 1, 5, //
            0, 0, 0, 2, 5, 1, //
            0, 0, 0, 5, 6, 1, 4, 0, 9
        };
        Files.write(file("1.bin"), records);
        assertThat(convert("call", file("1.bin"), "2.csv")).isOne();
        assertThat(err)
                .contains("1.bin: byte 18: ")
                .contains("1.bin: byte 24: Constraint 'started' is violated: the condition must hold: start != 9.")
                .contains("2 of 4 records");

        Files.write(file("1.bin"), Arrays.copyOf(records, 18));
        converted("call", file("1.bin"), "2.csv");
        assertThat(file("2.csv")).hasContent("code,start,caller\n4,256,\"a,\"\n5,,\n");
        converted("call", file("1.bin"), "2.jsonl");
        assertThat(file("2.jsonl")).hasContent("""
                {"code":4,"start":256,"caller":"a,"}
                {"code":5,"start":null,"caller":null}""");

        for (String target : new String[] {"3.bin", "3.jsonl"}) {
            assertThat(convert("call", file("2.csv"), target)).isOne();
            assertThat(err).contains("Schema 'call' has the layout 'tagged', whose records can only be read.");
        }
    }

    @Test
    void shouldReportBadLinesAndConvertTheOthers() throws IOException {
        Files.writeString(
                file("1.jsonl"),
                "\uFEFF{\"id\":1}\r\n\r\n{\"id\":\"x\",\"price\":1.234}\r\nnot JSON\r\n{\"id\":2,\"text\":\"é\"}");
        assertThat(convert("flat", file("1.jsonl"), "1.bin")).isOne();
        assertThat(err)
                .contains("1.jsonl: line 3: ")
                .contains("1.jsonl: line 4: ")
                .doesNotContain("line 1", "line 5");
        assertThat(file("1.bin")).doesNotExist();

        assertThat(convert(
                        "flat",
                        file("1.jsonl"),
                        "1.bin",
                        "--rejects",
                        file("bad.csv").toString()))
                .isZero();
        assertThat(Files.readString(file("bad.csv"))).contains("not JSON").contains("x");
        converted("flat", file("1.bin"), "2.jsonl");
        assertThat(Files.readAllLines(file("2.jsonl"))).hasSize(2);
    }

    @Test
    void shouldReportEveryTruncation() throws IOException {
        Files.writeString(file("1.jsonl"), "{\"id\":1,\"text\":\"abc\"}\n{\"id\":2,\"price\":1.5}\n");
        converted("flat", file("1.jsonl"), "1.bin");
        byte[] whole = Files.readAllBytes(file("1.bin"));
        int second = 4 + whole[3];
        for (int length = 1; length < whole.length; length++) {
            Files.write(file("cut.bin"), Arrays.copyOf(whole, length));
            int exit = convert(
                    "flat",
                    file("cut.bin"),
                    "2.jsonl",
                    "--rejects",
                    file("bad.csv").toString());
            assertThat(exit).as("length %s: %s", length, err).isZero();
            if (length != second) {
                assertThat(err).contains("cut.bin: byte " + (length < second ? 0 : second) + ": Truncated ");
            }
            assertThat(Files.readString(file("2.jsonl"), StandardCharsets.UTF_8).lines())
                    .hasSize(length < second ? 0 : 1);
        }
    }

    @Test
    void shouldReportMutatedBytes() throws IOException {
        Files.writeString(
                file("1.jsonl"), "{\"id\":1,\"text\":\"abc\",\"legs\":[{\"amount\":7,\"days\":[1]}]}\n".repeat(3));
        converted("nested", file("1.jsonl"), "1.bin");
        byte[] whole = Files.readAllBytes(file("1.bin"));
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            byte[] mutated = whole.clone();
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            Files.write(file("mutated.bin"), mutated);
            int exit = convert(
                    "nested",
                    file("mutated.bin"),
                    "2.jsonl",
                    "--rejects",
                    file("bad.csv").toString());
            assertThat(exit).as(err).isZero();
            assertThat(err).doesNotContain("Exception");
        }
    }
}
