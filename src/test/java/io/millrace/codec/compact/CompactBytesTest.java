package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.cli.convert.GenerateCommand;
import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.JsonForm;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.text.csv.CsvLines;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The bytes of compact records as docs/reference/formats.md describes them, their sizes, and older records. */
class CompactBytesTest {

    @TempDir
    Path folder;

    private static final String TRADE = """
            schema: trade
            layout: compact
            fields:
              - { name: id,             type: i64 }
              - { name: tradeDate,      type: date, format: dd/MM/yyyy }
              - { name: buySell,        type: enum, values: [Buy, Sell] }
              - { name: currency1,      type: enum, values: &currencies ["", AUD, CAD, CHF, EUR, GBP, JPY, USD] }
              - { name: amount1,        type: decimal, scale: 2 }
              - { name: exchangeRate,   type: f64 }
              - { name: currency2,      type: enum, values: *currencies }
              - { name: amount2,        type: decimal, scale: 2 }
              - { name: settlementDate, type: date, format: dd/MM/yyyy }
            """;

    private static Schema schema(String name, String yaml) {
        return SchemaReader.read(name + ".yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] record(Schema schema, List<String> values) {
        CompactEncoder encoder = new CompactEncoder(schema);
        byte[] row = encoder.blank();
        List<Field> fields = List.copyOf(schema.fields());
        for (int i = 0; i < fields.size(); i++) {
            FieldCodecs.of(fields.get(i)).setText(row, 0, values.get(i));
        }
        encoder.encode(row, 0, List.of(), 0);
        return encoder.toBytes();
    }

    private static List<String> values(Schema schema, byte[] record) {
        byte[] row = new byte[schema.foundLength()];
        CompactFinder.admission(schema).find(record, 0, record.length, row, 0, List.of(), 0);
        return schema.fields().stream()
                .map(field -> FieldCodecs.of(field).text(row, 0))
                .toList();
    }

    @Test
    void shouldStoreTheSampleTradesInAtMostTwentyBytes() throws IOException {
        Schema trade = schema("trade", TRADE);
        List<Integer> lengths = new ArrayList<>();
        try (InputStream in = Files.newInputStream(Path.of("examples/trades.csv"))) {
            CsvLines lines = new CsvLines(in);
            lines.header();
            while (lines.next()) {
                List<String> values = lines.values();
                byte[] record = record(trade, values);
                assertThat(values(trade, record)).hasSameSizeAs(values);
                assertThat(record(trade, values(trade, record))).isEqualTo(record);
                lengths.add(record.length);
            }
        }
        assertThat(lengths).isNotEmpty().allSatisfy(length -> assertThat(length).isLessThanOrEqualTo(20));
    }

    @Test
    void shouldStoreGeneratedTradesInAtMostTwentySevenBytesWithArbitraryRates() throws IOException {
        Path generated = folder.resolve("trades.bin");
        assertThat(new CommandLine(new GenerateCommand())
                        .execute("--schema", "trade", "--count", "10000", "--seed", "34", generated.toString()))
                .isZero();
        byte[] bytes = Files.readAllBytes(generated);
        List<FieldCodec> fields = RecordCodec.of(Schemas.builtIn().get("trade")).codecs();
        Schema trade = schema("trade", TRADE);
        Random random = new Random(34);
        long given = 0;
        long arbitrary = 0;
        for (int at = 0; at < bytes.length; at += 39) {
            List<String> values = new ArrayList<>();
            for (FieldCodec field : fields) {
                values.add(field.text(bytes, at));
            }
            given += record(trade, values).length;
            values.set(5, Double.toString(0.5 + random.nextDouble()));
            arbitrary += record(trade, values).length;
        }
        int count = bytes.length / 39;
        assertThat(given / (double) count).isLessThanOrEqualTo(21);
        assertThat(arbitrary / (double) count).isLessThanOrEqualTo(27);
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        Schema trade = schema("trade", TRADE);
        byte[] record = record(
                trade,
                List.of("1", "21/07/2014", "Buy", "EUR", "50000000.00", "1.344", "USD", "67200000.00", "28/07/2014"));
        assertThat(HexFormat.ofDelimiter(" ").formatHex(record))
                .isEqualTo("00 02 8f 8b 00 04 81 53 03 8a 80 07 c0 a8 0f 8f 7d");
    }

    @Test
    void shouldReadRecordsThatOlderSchemasWrote() {
        String first =
                "schema: s\nlayout: compact\nfields:\n  - { name: a, type: i64 }\n  - { name: b, type: i64, optional: true }\n";
        String second = first + "  - { name: c, type: string, length: 5, optional: true }\n";
        String third = second + "  - { name: d, type: boolean, optional: true }\n";
        List<Schema> versions = List.of(schema("s", first), schema("s", second), schema("s", third));
        List<String> all = List.of("7", "-8", "text", "true");
        for (int written = 0; written < versions.size(); written++) {
            int fields = written + 2;
            byte[] record = record(versions.get(written), all.subList(0, fields));
            for (int read = 0; read < versions.size(); read++) {
                List<String> found = values(versions.get(read), record);
                int known = Math.min(read, written) + 2;
                assertThat(found.subList(0, known)).isEqualTo(all.subList(0, known));
                assertThat(found.subList(known, found.size()))
                        .allSatisfy(value -> assertThat(value).isEmpty());
            }
        }
    }

    @Test
    void shouldReadElementsThatOlderSchemasWrote() {
        String before = """
                schema: s
                layout: compact
                fields:
                  - name: legs
                    type: group
                    repeat: many
                    fields:
                      - { name: a, type: i64 }
                  - { name: z, type: i64 }
                """;
        String after = before.replace(
                "{ name: a, type: i64 }", "{ name: a, type: i64 }\n      - { name: b, type: i64, optional: true }");
        String oldJson = "{\"legs\":[{\"a\":1},{\"a\":2}],\"z\":3}";
        String newJson = "{\"legs\":[{\"a\":1,\"b\":-1},{\"a\":2}],\"z\":3}";
        assertThat(convert(oldJson, schema("s", before), schema("s", after)))
                .isEqualTo(oldJson.replace("}", ",\"b\":null}").replace(",\"z\":3,\"b\":null}", ",\"z\":3}"));
        assertThat(convert(newJson, schema("s", after), schema("s", before))).isEqualTo(oldJson);
    }

    private static String convert(String json, Schema writer, Schema reader) {
        JsonToCompact records = new JsonToCompact(writer);
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        records.append(text, 0, text.length);
        byte[] record = records.encoder().toBytes();
        JsonBuffer out = new JsonBuffer();
        new CompactToJson(reader, JsonForm.FILE).write(record, 0, record.length, out);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldRefuseBytesAfterTheLastMember() {
        Schema trade = schema("trade", TRADE);
        byte[] record = {0, 0, 0};
        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() ->
                        values(schema("s", "schema: s\nlayout: compact\nfields:\n  - { name: a, type: u8 }\n"), record))
                .withMessage("Unexpected bytes after the last member of the record, at byte 2 of the record.");
        assertThat(trade.groups()).isEmpty();
    }

    @Test
    void shouldRefuseBooleansInListsOtherThanZeroAndOne() {
        Schema schema = schema("flags", """
                schema: flags
                layout: compact
                fields:
                  - { name: flags, type: boolean, repeat: many }
                """);
        byte[] record = HexFormat.of().parseHex("0103020102");
        for (CompactFinder finder : List.of(
                CompactFinder.admission(schema), CompactFinder.of(schema), CompactFinder.interpreted(schema, true))) {
            List<ChildRows> children =
                    List.of(new ChildRows(schema.groups().getFirst().rowLength()));
            assertThatExceptionOfType(MalformedRecordException.class)
                    .isThrownBy(
                            () -> finder.find(record, 0, record.length, new byte[schema.foundLength()], 0, children, 0))
                    .withMessage("Invalid value of flags[]: 2.");
        }
        CompactPart list =
                (CompactPart) ((CompactLayout) schema.layout()).root().members().getFirst();
        CompactValueReader reader =
                CompactValueReader.of((CompactValue) list.group().members().getFirst());
        assertThat(reader.element(record, record.length - 2)).isEqualTo(true);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> reader.element(record, record.length - 1))
                .withMessage("Invalid value of flags[]: 2.");
    }

    @Test
    void shouldReadTextsWhoseNumberIsLongerThanNeeded() {
        Schema schema = schema("texts", """
                schema: texts
                layout: compact
                fields:
                  - { name: text, type: string, length: 4, frequent: [EUR] }
                  - { name: next, type: u8 }
                """);
        CompactGroup root = ((CompactLayout) schema.layout()).root();
        byte[] record = HexFormat.of().parseHex("0080000241420a");
        assertThat(values(schema, record)).containsExactly("AB", "10");
        CompactScope scope = CompactScope.of(root, false);
        byte[] index = scope.index(record, 0);
        assertThat(index).containsExactly(1, record.length - 1);
        CompactValueReader text =
                CompactValueReader.of((CompactValue) root.members().getFirst());
        assertThat(text.value(record, 1)).isEqualTo("AB");
    }

    @Test
    void shouldBoundTheMemoryOfElements() {
        Schema schema = schema("s", """
                schema: s
                layout: compact
                fields:
                  - name: legs
                    type: group
                    repeat: many
                    fields:
                      - { name: text, type: string, length: 60000, optional: true }
                """);
        // 2,000 elements of three bytes each would take 120 MB.
        byte[] elements = new byte[2000 * 2];
        for (int i = 0; i < elements.length; i += 2) {
            elements[i] = 1;
        }
        byte[] record = new byte[4096];
        int at = 1;
        record[0] = 1;
        at = Varint.put(record, at, elements.length + 2);
        at = Varint.put(record, at, 2000);
        System.arraycopy(elements, 0, record, at, elements.length);
        int end = at + elements.length;
        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> CompactFinder.admission(schema)
                        .find(
                                record,
                                0,
                                end,
                                new byte[schema.foundLength()],
                                0,
                                List.of(new ChildRows(schema.groups().getFirst().rowLength())),
                                0))
                .withMessageContaining("in memory");
        assertThatExceptionOfType(JsonRecordException.class).isThrownBy(() -> convert("{\"legs\":1}", schema, schema));
        assertThat(Objects.requireNonNull(schema.groups().getFirst().field("legs[].text"))
                        .optional())
                .isTrue();
    }

    @Test
    void shouldBoundTheMemoryOfTheElementsOfABatch() {
        Schema schema = schema("s", """
                schema: s
                layout: compact
                fields:
                  - { name: texts, type: string, length: 60000, repeat: many }
                """);
        // Each record has 1,000 empty texts, which take 60 MB as rows.
        int elements = 1000;
        byte[] record = new byte[2000];
        record[0] = 1;
        int at = Varint.put(record, 1, elements + 2);
        int length = Varint.put(record, at, elements) + elements;
        int records = 6;
        byte[] bytes = new byte[records * length];
        int[] bounds = new int[records + 1];
        for (int i = 0; i < records; i++) {
            System.arraycopy(record, 0, bytes, i * length, length);
            bounds[i + 1] = (i + 1) * length;
        }
        RecordBatch batch = new RecordBatch(schema);
        batch.fill(bytes, bounds, records, 0);
        List<String> rejects = new ArrayList<>();
        CompactFinder.admission(schema).admit(batch, (_, _, reason) -> rejects.add(reason.detail()));

        assertThat(batch.selected()).isEqualTo(3);
        assertThat(rejects).hasSize(3).allSatisfy(reason -> assertThat(reason).contains("millrace.batch-records"));
    }
}
