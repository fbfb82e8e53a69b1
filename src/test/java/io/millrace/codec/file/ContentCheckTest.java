package io.millrace.codec.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.RecordValidator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as their own tools have written them, what resembles them, and records. */
class ContentCheckTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final Schema ORDER = Schemas.builtIn().get("order");

    /** Any bytes are a record of it. */
    private static final Schema NUMBERS = schema("{ name: id, type: i64 }", "{ name: price, type: f64 }");

    /** So is any text. */
    private static final Schema TEXTS =
            schema("{ name: kind, type: u32 }", "{ name: note, type: string, length: 28, charset: utf8 }");

    private static final String PLAIN = "id,name\n1,Tokyo\n2,Paris\n";
    private static final String JSON = "{\"id\": 1, \"price\": 2.5}\n{\"id\": 2, \"price\": 3.5}\n";

    /** Of the text above, by gzip 1.12, zstd 1.5, xz 5.4, bzip2 1.0 and zip 3.0. */
    private static Stream<Arguments> packed() {
        return Stream.of(
                Arguments.of(
                        FileContent.GZIP,
                        "gunzip -c < f.bin > NEW_FILE",
                        "1f8b0800000000000003cb4cd1c94bcc4de532d409c9cfaecce732d209482cca2ce6020026a4053c18000000"),
                Arguments.of(
                        FileContent.GZIP,
                        "gunzip -c < f.bin > NEW_FILE",
                        "1f8b08080000000004036465736b732e63737600cb4cd1c94bcc4de532d409c9cfaecce732d209482cca2ce60200"
                                + "26a4053c18000000"),
                Arguments.of(FileContent.GZIP, "gunzip", "1f8b080000000000000303000000000000000000"),
                Arguments.of(
                        FileContent.ZSTD,
                        "unzstd -c < f.bin > NEW_FILE",
                        "28b52ffd0458c1000069642c6e616d650a312c546f6b796f0a322c50617269730a45447f61"),
                Arguments.of(
                        FileContent.ZSTD,
                        "unzstd",
                        "28b52ffd0068c1000069642c6e616d650a312c546f6b796f0a322c50617269730a"),
                Arguments.of(
                        FileContent.ZSTD,
                        "unzstd",
                        "28b52ffd2418c1000069642c6e616d650a312c546f6b796f0a322c50617269730a45447f61"),
                Arguments.of(FileContent.ZSTD, "unzstd", "28b52ffd240001000099e9d851"),
                Arguments.of(
                        FileContent.XZ,
                        "unxz -c < f.bin > NEW_FILE",
                        "fd377a585a000004e6d6b4460200210116000000742fe5a301001769642c6e616d650a312c546f6b796f0a322c5061"
                                + "7269730a00454f6468d04dd7ef000130188e1bacec1fb6f37d010000000004595a"),
                Arguments.of(
                        FileContent.XZ, "unxz", "fd377a585a000000ff12d9410200210116000000742fe5a301001769642c6e616d65"),
                Arguments.of(
                        FileContent.BZIP2,
                        "bunzip2 -c < f.bin > NEW_FILE",
                        "425a6839314159265359e73af0920000075b800010000430004400262b9820200022203d4f50d3690a1a698003e4"
                                + "070369a36f195d832ae67e2ee48a70a121ce75e124"),
                Arguments.of(FileContent.BZIP2, "bunzip2", "425a683917724538509000000000"),
                Arguments.of(
                        FileContent.ZIP,
                        "unzip -p f.bin > NEW_FILE",
                        "504b03040a0000000000d458765db87ea021100000001000000009001c006465736b732e6373765554090003bfcc"
                                + "026bbfcc026b75780b00010400000000040000000069642c6e616d650a312c546f6b796f0a"),
                Arguments.of(
                        FileContent.PARQUET,
                        "export the rows as CSV",
                        "5041523115041520152c4c15041500120000104c0100000000000000020000000000000015001510"),
                Arguments.of(
                        FileContent.PCAP,
                        "the feed 'pcap'",
                        "d4c3b2a1020004000000000000000000ffff000001000000000000000000000000000000"),
                Arguments.of(
                        FileContent.PCAP,
                        "the feed 'pcap'",
                        "a1b23c4d00020004000000000000000000040000000000650000000000000000000000000000"),
                Arguments.of(
                        FileContent.PCAP,
                        "the feed 'pcap'",
                        "0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c00000001000000"));
    }

    @ParameterizedTest
    @MethodSource("packed")
    void shouldRecogniseWhatToolsHaveWritten(FileContent content, String advice, String hex) {
        byte[] head = HexFormat.of().parseHex(hex);
        assertThat(FileContent.of(head)).isEqualTo(content);
        for (Schema schema : List.of(TRADE, NUMBERS)) {
            assertThatThrownBy(() -> ContentCheck.requireRecords("f.bin", head, schema))
                    .isInstanceOf(ContentException.class)
                    .hasMessageContaining("'f.bin' is " + content.description() + ". ")
                    .hasMessageContaining(advice);
        }
        assertThatThrownBy(() -> ContentCheck.requireCsv("f.csv", head))
                .hasMessageContaining("'f.csv' is " + content.description() + ". ");
    }

    /** One byte of the header is another, so it is no such header. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1f8b0700000000000003cb4cd1c94bcc4de532d409c9cfaecce732d209482cca2ce6020026a4053c18000000",
                "1f8b0820000000000003cb4cd1c94bcc4de532d409c9cfaecce732d209482cca2ce6020026a4053c18000000",
                "1f8b0800000000000003ff4cd1c94bcc4de532d409c9cfaecce732d209482cca2ce6020026a4053c18000000",
                "28b52ffd0c58c1000069642c6e616d650a312c546f6b796f0a322c50617269730a45447f61",
                "28b52ffd0458c70000ff642c6e616d650a312c546f6b796f0a322c50617269730a45447f61",
                "fd377a585a000004e6d6b4470200210116000000742fe5a301001769642c6e616d65",
                "425a6830314159265359e73af0920000075b8000",
                "425a6839314159265358e73af0920000075b8000",
                "504b0304ff0000000000d458765db87ea021100000001000000009001c006465736b732e6373765554090003bfcc",
                "504b03040a0000000000d458765db87ea021100000001000000009001c006465036b732e6373765554090003bfcc",
                "5041523199041520152c4c15041500120000104c0100000000000000020000000000000015001510",
                "d4c3b2a1020005000000000000000000ffff000001000000000000000000000000000000",
                "0a0d0d0a1c0000004d3c2b1b01000000ffffffffffffffff1c00000001000000"
            })
    void shouldNotTakeAMagicNumberForAFormat(String hex) {
        byte[] head = HexFormat.of().parseHex(hex);
        assertThat(FileContent.of(head)).isEqualTo(FileContent.BINARY);
        assertThatCode(() -> ContentCheck.requireRecords("f.bin", head, NUMBERS))
                .doesNotThrowAnyException();
    }

    private static Stream<Arguments> texts() throws IOException {
        String trades = Files.readString(Path.of("examples/trades.csv"));
        String headless = trades.substring(trades.indexOf('\n') + 1);
        return Stream.of(
                Arguments.of(
                        TRADE,
                        trades,
                        "is text, not binary records. If it is CSV, convert it first: "
                                + "millrace convert --schema trade --from csv --to bin f.bin NEW_FILE"),
                Arguments.of(TRADE, headless, "is text"),
                Arguments.of(ORDER, headless, "is text"),
                Arguments.of(NUMBERS, headless, "is text"),
                Arguments.of(TEXTS, headless.repeat(10), "is text"),
                Arguments.of(TRADE, trades.replace(',', ';'), "is text"),
                Arguments.of(TRADE, trades.replace(",", "\t"), "is text"),
                Arguments.of(TRADE, "\uFEFF" + trades.replace("\n", "\r\n"), "is text"),
                Arguments.of(NUMBERS, "ID,\"Price\"\n", "is text"),
                Arguments.of(
                        NUMBERS,
                        JSON,
                        "is JSON, not binary records. Read it as JSON lines: with the option --from json,"),
                Arguments.of(NUMBERS, "[\n" + JSON + "]", "is JSON"),
                Arguments.of(TRADE, "The quick brown fox.\n".repeat(20), "is text"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void shouldRefuseTextWhereRecordsAreNeeded(Schema schema, String text, String message) {
        byte[] whole = text.getBytes(UTF_8);
        byte[] head = Arrays.copyOf(whole, Math.min(whole.length, ContentCheck.headBytes(schema)));
        assertThatThrownBy(() -> ContentCheck.requireRecords("f.bin", head, schema))
                .isInstanceOf(ContentException.class)
                .hasMessageStartingWith("'f.bin' ")
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseUtf16() {
        byte[] head = PLAIN.repeat(5).getBytes(UTF_16);
        assertThatThrownBy(() -> ContentCheck.requireRecords("f.bin", head, TRADE))
                .hasMessageContaining("'f.bin' is UTF-16 text, not binary records.");
        assertThatThrownBy(() -> ContentCheck.requireCsv("f.csv", ("\uFEFF" + PLAIN).getBytes(UTF_16LE)))
                .hasMessage("'f.csv' is UTF-16 text. Convert it to UTF-8 first:"
                        + " iconv -f UTF-16 -t UTF-8 f.csv > NEW_FILE");
    }

    /** Records may consist of nothing but text, with line breaks as well, and may not all be valid. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "AAAAlow  4 kind and note\n        ",
                "AAAA\nkind,\nnote,\nof,\nanything\n    ",
                "0123kind,note,or anything else   "
            })
    void shouldTakeRecordsThatArePrintable(String record) {
        byte[] head = record.substring(0, 32).repeat(128).getBytes(UTF_8);
        assertThatCode(() -> ContentCheck.requireRecords("f.bin", head, TEXTS)).doesNotThrowAnyException();
        assertThatCode(() -> ContentCheck.requireRecords("f.bin", Arrays.copyOf(head, 40), TEXTS))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", PLAIN, "name;größe\nx;1\n", "a,b\n\f\u00851,2\n", "text {\"id\": 1}\n", "[1]\n"})
    void shouldTakeTextWhereItIsNeeded(String text) {
        for (byte[] head : List.of(text.getBytes(UTF_8), text.getBytes(ISO_8859_1), cut("é" + text))) {
            assertThatCode(() -> ContentCheck.requireCsv("f.csv", head)).doesNotThrowAnyException();
        }
        assertThatCode(() -> ContentCheck.requireText("f.jsonl", JSON.getBytes(UTF_8)))
                .doesNotThrowAnyException();
    }

    /** Within the last character. */
    private static byte[] cut(String text) {
        byte[] bytes = (text + "é").getBytes(UTF_8);
        return Arrays.copyOf(bytes, bytes.length - 1);
    }

    @Test
    void shouldCheckTheFirstLengthOfRecordsThatVaryInLength() {
        Schema packets = Schemas.builtIn().get("radius-accounting");
        byte[] prefixed = new byte[24];
        prefixed[3] = 20;
        assertThatCode(() -> ContentCheck.requireRecords("f.bin", prefixed, packets))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ContentCheck.requireRecords("f.bin", PLAIN.getBytes(UTF_8), packets))
                .isInstanceOf(ContentException.class)
                .hasMessageContaining("f.bin");
    }

    /** Valid records begin with any bytes, those of other formats among them. */
    @Property(tries = 2000)
    void shouldNeverRefuseRecords(
            @ForAll long seed, @ForAll @IntRange(max = 200) int count, @ForAll @IntRange(max = 20) int start) {
        Random random = new Random(seed);
        for (Schema schema : List.of(TRADE, ORDER)) {
            byte[] records = records(schema, count, random);
            if (count > 0) {
                startWithSignature(schema, records, start);
            }
            byte[] head = Arrays.copyOf(records, Math.min(records.length, ContentCheck.headBytes(schema)));
            assertThatCode(() -> ContentCheck.requireRecords("f.bin", head, schema))
                    .doesNotThrowAnyException();
            if (count > 0) {
                assertThatThrownBy(() -> ContentCheck.requireCsv("f.csv", head)).isInstanceOf(ContentException.class);
            }
        }
    }

    /** Of schemas that take any bytes nothing but the bytes themselves tells. */
    @Property(tries = 2000)
    void shouldNeverRefuseRandomBytes(@ForAll long seed, @ForAll @IntRange(max = 4096) int length) {
        byte[] head = new byte[length];
        new Random(seed).nextBytes(head);
        for (String magic : List.of("", "1f8b08", "28b52ffd", "fd377a585a00", "425a68", "504b0304", "50415231")) {
            byte[] bytes = HexFormat.of().parseHex(magic);
            System.arraycopy(bytes, 0, head, 0, Math.min(bytes.length, length));
            if (!magic.equals("28b52ffd") && !magic.equals("504b0304")) {
                assertThatCode(() -> ContentCheck.requireRecords("f.bin", head, NUMBERS))
                        .as(magic)
                        .doesNotThrowAnyException();
            }
        }
    }

    /** The first fields of both schemas take any bytes: the signature goes there as far as it fits. */
    private static void startWithSignature(Schema schema, byte[] records, int signature) {
        List<String> all = packed().map(row -> String.valueOf(row.get()[2])).toList();
        if (signature < all.size()) {
            byte[] bytes = HexFormat.of().parseHex(all.get(signature));
            int room = schema == TRADE ? 10 : 12;
            System.arraycopy(bytes, 0, records, 0, Math.min(bytes.length, room));
        }
    }

    private static byte[] records(Schema schema, int count, Random random) {
        byte[] bytes = new byte[count * schema.baseLength()];
        random.nextBytes(bytes);
        RecordValidator validator = RecordValidator.of(schema);
        RecordBatch batch = new RecordBatch(schema);
        for (int i = 0; i < count; i++) {
            int at = i * schema.baseLength();
            if (schema == TRADE) {
                bytes[at + 10] = (byte) random.nextInt(2);
                bytes[at + 11] = (byte) random.nextInt(8);
                bytes[at + 28] = (byte) random.nextInt(8);
            } else {
                bytes[at + 12] = (byte) random.nextInt(2);
            }
        }
        batch.fill(bytes, 0, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        validator.admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason.detail());
        });
        return bytes;
    }

    private static Schema schema(String... fields) {
        String yaml = "schema: t\nlayout: fixed\nbyte-order: big\nfields:\n- " + String.join("\n- ", fields) + "\n";
        return SchemaReader.read("t.yml", yaml.getBytes(UTF_8));
    }
}
