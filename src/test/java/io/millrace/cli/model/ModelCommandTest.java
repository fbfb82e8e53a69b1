package io.millrace.cli.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.convert.ConvertCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ModelCommandTest {

    @TempDir
    private Path folder;

    private String output = "";

    private int model(Object... arguments) {
        StringWriter text = new StringWriter();
        int exit = new CommandLine(new ModelCommand())
                .setErr(new PrintWriter(text))
                .setOut(new PrintWriter(text))
                .execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
        output = text.toString().replace(folder + "/", "");
        return exit;
    }

    private int json(String content, Object... more) throws IOException {
        Path file = Files.writeString(folder.resolve("t.jsonl"), content);
        Object[] all = Arrays.copyOf(new Object[] {"json", file, "-o", folder}, 4 + more.length);
        System.arraycopy(more, 0, all, 4, more.length);
        return model(all);
    }

    private String schema() throws IOException {
        return Files.readString(folder.resolve("t.yml"));
    }

    @Test
    void shouldInferTheSampleTradesAndSwaps() throws IOException {
        assertThat(model("csv", "examples/trades.csv", "-o", folder)).as(output).isZero();
        assertThat(output).endsWith("Created trades.yml\n10 records read with this schema, none rejected.\n");
        assertThat(Files.readString(folder.resolve("trades.yml")))
                .contains("{ name: tradeDate, type: date, format: dd/MM/yyyy, label: TradeDate }");

        assertThat(model("json", "examples/swap/swaps.jsonl", "-o", folder))
                .as(output)
                .isZero();
        assertThat(Files.readString(folder.resolve("swaps.yml"))).contains("  - name: legs  # at most ");
    }

    @Test
    void shouldImportAClassFile() throws Exception {
        Path classes = Path.of(ModelCommandTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(model("java", "-o", folder, classes.resolve("swaps/Swap.class")))
                .as(output)
                .isZero();
        assertThat(Files.readString(folder.resolve("swap.yml")))
                .contains("  - { name: legs, type: Leg, repeat: many }\n");
        assertThat(model("java", "--root", "swaps.Swap", "--check", "-o", folder, classes))
                .as(output)
                .isZero();

        assertThat(model("java", "-o", folder, classes)).isEqualTo(2);
        assertThat(output).contains("Missing --root TYPE, the class of the records.");
        Path moved = Files.copy(classes.resolve("swaps/Swap.class"), folder.resolve("Swap.class"));
        assertThat(model("java", "-o", folder, moved)).isOne();
        assertThat(output).contains("Invalid place of the class file 'Swap.class'. It has to be in swaps/Swap.class");
        assertThat(model("java", "-o", folder, folder.resolve("None.class"))).isOne();
        assertThat(output).contains("File not found: 'None.class'. Use a class file.");
        assertThat(model("java", "-o", folder, Files.writeString(folder.resolve("T.class"), "x")))
                .isOne();
        assertThat(output).contains("Invalid class file 'T.class'");
    }

    /** Views of it would not call its getter. */
    public static class Shouting {
        private String name = "";

        public String getName() {
            return name.toUpperCase(Locale.ROOT);
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    @Test
    void shouldRefuseAClassWhoseViewsDifferUnlessThisIsAllowed() throws Exception {
        Path classes = Path.of(ModelCommandTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String root = Shouting.class.getName();
        assertThat(model("java", "--root", root, "-o", folder, classes)).isOne();
        assertThat(output)
                .contains("its method getName does more than return or set a field")
                .contains("Accept this with --allow getName. [invalid-model]");
        assertThat(folder.resolve("shouting.yml")).doesNotExist();
        assertThat(model("java", "--root", root, "--allow", "getName", "-o", folder, classes))
                .as(output)
                .isZero();
        assertThat(Files.readString(folder.resolve("shouting.yml"))).contains("""
                # Accepted by --allow: getName.
                # The builder of RecordViews needs replaceBodies("getName").
                """);
    }

    @Test
    void shouldReadAnyLineEndsAndNameInvalidLines() throws IOException {
        Path csv = Files.writeString(folder.resolve("c.csv"), "a,b\r1,\"x\ry\"\r\n\r2,z\n3,w");
        assertThat(model("csv", csv, "-o", folder)).as(output).isZero();
        assertThat(output).endsWith("3 records read with this schema, none rejected.\n");
        Files.write(csv, "a,b\r1,\"x\r2,\u00e9\r\n3,w\r\"4\"5,".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(model("csv", csv, "-o", folder)).isOne();
        assertThat(output)
                .contains("c.csv:2: Missing quote at the end of a value.")
                .contains("c.csv:3: Invalid characters. Use UTF-8.")
                .contains("c.csv:5: Invalid CSV.");
        assertThat(json("{\"x y\":1}\r{\"a\":1}\r\n\r{\"b c\":1}")).isOne();
        assertThat(output).contains("t.jsonl:1: Invalid name 'x y'.").contains("t.jsonl:4: Invalid name 'b c'.");
    }

    @Test
    void shouldReadSamplesFromStandardInput() throws IOException {
        InputStream before = System.in;
        try {
            System.setIn(Files.newInputStream(Path.of("examples/trades.csv")));
            assertThat(model("csv", "--name", "piped", "-o", folder, "-"))
                    .as(output)
                    .isZero();
            assertThat(output).endsWith("Created piped.yml\n10 records read with this schema, none rejected.\n");
            System.setIn(Files.newInputStream(Path.of("examples/swap/swaps.jsonl")));
            assertThat(model("json", "--name", "swaps", "-o", folder, "-"))
                    .as(output)
                    .isZero();
            assertThat(model("json", "-o", folder, "-")).isEqualTo(1);
            assertThat(output)
                    .contains("Missing name of the schema. Use --name with standard input. [invalid-argument]");
        } finally {
            System.setIn(before);
        }
        assertThat(Files.readString(folder.resolve("swaps.yml"))).contains("- name: legs");
    }

    @Test
    void shouldSayWhatWasSeenAndHowSureItIs() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            lines.append("{\"side\":\"").append(i % 2 == 0 ? "Buy" : "Sell").append("\"");
            lines.append(i < 3 ? ",\"note\":\"n" + i + "\"}\n" : ",\"n\":" + i + "}\n");
        }
        assertThat(json(lines.toString())).as(output).isZero();
        assertThat(schema())
                .contains("{ name: side, type: string, length: 16, frequent: [Buy, Sell] }"
                        + "  # 2 distinct values, longest 4 bytes; an enum with --dictionaries\n")
                .contains("{ name: note, type: string, length: 16, optional: true }"
                        + "  # seen 3 of 100 times; 3 distinct values, longest 2 bytes; only 3 values\n")
                .contains("{ name: n, type: i64, optional: true }"
                        + "  # seen 97 of 100 times; 3 to 99, 97 distinct values\n");

        Files.delete(folder.resolve("t.yml"));
        Files.delete(folder.resolve("t.yml.imported"));
        assertThat(json(lines.toString(), "--dictionaries", "--smallest-integers"))
                .as(output)
                .isZero();
        assertThat(schema())
                .contains("{ name: side, type: enum, values: [Buy, Sell] }  # 2 distinct values in 100\n")
                .contains("{ name: n, type: u8, optional: true }"
                        + "  # seen 97 of 100 times; 3 to 99, 97 distinct values\n");
    }

    /** The first day rarely has the largest number, the longest text, or all codes. */
    @Test
    void shouldInferASchemaThatReadsTheNextDayToo() throws IOException {
        Path day = Files.writeString(
                folder.resolve("day.csv"), "Id,Status,Value,Price,Name\n" + "1,Off,65535,12.5,station-1\n".repeat(30));
        assertThat(model("csv", day, "-o", folder)).as(output).isZero();
        Path next = Files.writeString(
                folder.resolve("next.csv"),
                "Id,Status,Value,Price,Name\n-3000000000,Heating,70000,1234567890123.25,north-station-23\n");
        Path records = folder.resolve("next.bin");
        CommandLine convert = new CommandLine(new ConvertCommand());
        StringWriter errors = new StringWriter();
        int code = convert.setOut(new PrintWriter(errors, true))
                .setErr(new PrintWriter(errors, true))
                .execute("--schemas", folder.toString(), "--schema", "day", next.toString(), records.toString());
        assertThat(code).as(errors.toString()).isZero();
        assertThat(Files.readString(folder.resolve("day.yml")))
                .contains("{ name: id, type: i64, label: Id }  # 1 to 1, 1 distinct value\n")
                .contains("{ name: price, type: decimal, scale: 2, label: Price }  # 12.5 to 12.5, 1 distinct value\n")
                .contains("{ name: name, type: string, length: 16, pad: zero, label: Name }"
                        + "  # 1 distinct value, all of 9 bytes; an enum with --dictionaries\n");
    }

    @Test
    void shouldLeaveSpaceInTextsAndDecimals() throws IOException {
        String text = "x".repeat(12);
        assertThat(json("{\"t\":\"" + text + "\",\"d\":0.123,\"w\":1234567890123456.7,\"u\":18446744073709551615}\n"))
                .as(output)
                .isZero();
        assertThat(schema())
                .contains("{ name: t, type: string, length: 32 }")
                .contains("{ name: d, type: decimal, scale: 4 }")
                .contains("{ name: w, type: decimal, scale: 2 }")
                .contains("{ name: u, type: u64 }");
    }

    @Test
    void shouldReportConflictsWithFileAndLine() throws IOException {
        assertThat(json("{\"a\":1}\n{\"a\":{\"b\":1}}\n{\"x y\":[1,null,[2]]}\n"))
                .isOne();
        assertThat(output)
                .contains("t.jsonl:2: Field 'a' is an object here, and a single value in t.jsonl:1.")
                .contains("t.jsonl:3: Invalid name 'x y'.");
        assertThat(folder.resolve("t.yml")).doesNotExist();
        assertThat(json("{\"a\":1}\nnull\n")).isOne();
        assertThat(output).isEqualTo("t.jsonl:2: Invalid record: not a JSON object. [invalid-model]\n");
        assertThat(json("{\"a\":1,}\n")).isOne();
        assertThat(output).startsWith("t.jsonl:1: Invalid JSON: ");

        Path csv = Files.writeString(folder.resolve("c.csv"), "a,A\n1,2\n3\n");
        assertThat(model("csv", csv, "-o", folder)).isOne();
        assertThat(output).contains("c.csv:1: Duplicate column 'A'.").contains("c.csv:3: Invalid number of values: 1.");
    }

    @Test
    void shouldKeepChangesMadeByHandAndShowTheOthers() throws IOException {
        assertThat(json("{\"a\":1,\"b\":\"x\",\"c\":true}\n")).isZero();
        Path file = folder.resolve("t.yml");
        Files.writeString(
                file,
                schema().replace("length: 16", "length: 40")
                        .replace(
                                "  - { name: c",
                                "  # why\n  - { name: mine, type: u8, optional: true }\n  - { name: c"));

        assertThat(json("{\"a\":3.5,\"b\":\"x\",\"d\":[1]}\n", "--check")).isOne();
        String edited = schema();
        assertThat(output)
                .contains("= b: length 40 (import: 16) stays, changed by hand\n")
                .contains("~ a: type i64 -> decimal\n")
                .contains("~ a: scale none -> 2\n")
                .contains("- c: boolean\n")
                .contains("+ d: i64, repeat many\n")
                .contains("t.yml is not up to date.\n");

        assertThat(json("{\"a\":3.5,\"b\":\"x\",\"d\":[1]}\n")).isZero();
        assertThat(schema())
                .isNotEqualTo(edited)
                .contains("type: decimal")
                .contains("length: 40")
                .contains("  # why\n  - { name: mine, type: u8, optional: true }\n")
                .doesNotContain("name: c,");

        String written = schema();
        assertThat(json("{\"a\":9.5,\"b\":\"x\",\"d\":[1]}\n", "--check")).isZero();
        assertThat(json("{\"a\":9.5,\"b\":\"x\",\"d\":[1]}\n")).isZero();
        assertThat(schema()).isEqualTo(written);
    }

    @Test
    void shouldKeepConstraintsWrittenByHand() throws IOException {
        assertThat(json("{\"a\":1,\"b\":2}\n")).isZero();
        String constraints = """
                constraints:
                  - name: order
                    condition: "a <= b"
                    message: "a must not exceed b"
                """;
        Files.writeString(folder.resolve("t.yml"), schema() + constraints);
        assertThat(json("{\"a\":1,\"b\":2,\"c\":3}\n")).as(output).isZero();
        assertThat(schema()).contains("name: c,").endsWith(constraints);
        assertThat(output).contains("+ c: i64").doesNotContain("constraint");
    }

    @Test
    void shouldWarnOfChangesWithWhichExistingRecordsCannotBeRead() throws IOException {
        assertThat(json("{\"price\":1.25,\"side\":\"a\"}\n")).isZero();
        assertThat(output).doesNotContain("! ");
        assertThat(json("{\"price\":1.2575,\"side\":\"a\",\"more\":1}\n{\"price\":1.25}\n", "--check"))
                .isOne();
        assertThat(output)
                .contains("~ price: scale 2 -> 4\n")
                .contains("! Records that exist can't be read with this change: field 'price' changed from"
                        + " decimal i64 scale 2 to decimal i64 scale 4: the stored numbers have another scale\n")
                .doesNotContain("! Records that exist can't be read with this change: field 'more'")
                .doesNotContain("! Records that exist can't be read with this change: field 'side'");
        assertThat(json("{\"price\":1.25,\"side\":\"a\",\"more\":1}\n")).isZero();
        assertThat(output)
                .contains("! Records that exist can't be read with this change: field 'more' was added")
                .contains("stored records have no value");
    }

    @Test
    void shouldOnlyAppendToDictionaries() throws IOException {
        String first = "{\"s\":\"B\"}\n".repeat(20) + "{\"s\":\"C\"}\n".repeat(20);
        assertThat(json(first, "--dictionaries")).isZero();
        assertThat(json("{\"s\":\"A\"}\n".repeat(20) + first, "--dictionaries")).isZero();
        assertThat(schema()).contains("values: [B, C, A]");
    }
}
