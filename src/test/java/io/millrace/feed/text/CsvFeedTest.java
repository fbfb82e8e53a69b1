package io.millrace.feed.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.csv.CsvText;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.extension.NoSettings;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedCheck;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFeedTest {

    private static final Schema FIXED = schema("""
            schema: payment
            fields:
              - { name: id, type: i32 }
              - { name: note, type: string, length: 12, charset: utf8 }
              - { name: amount, type: decimal, as: i64, scale: 2 }
            """);

    private static final Schema COMPACT = schema("""
            schema: payment
            layout: compact
            fields:
              - { name: id, type: i32 }
              - { name: note, type: string, length: 300000, charset: utf8, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 12 }
            """);

    private static final int CELLS = 3;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("payments.csv");
    }

    private static Schema schema(String yaml) {
        return SchemaReader.read("payment.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static Schema schema(boolean fixed) {
        return fixed ? FIXED : COMPACT;
    }

    private static String header(boolean fixed) {
        return fixed ? "amount,id,note\n" : "note,id,party.name\n";
    }

    /** A record or a piece that a feed returns. */
    private record Item(boolean valid, long position, String bytes) {}

    /** What a feed returned, and the positions at which its batches ended. */
    private record Reading(List<Item> items, List<Long> batchEnds) {

        List<String> records() {
            return items.stream().filter(Item::valid).map(Item::bytes).toList();
        }

        List<Long> pieces() {
            return items.stream()
                    .filter(item -> !item.valid())
                    .map(Item::position)
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"true,1", "true,7", "true,100", "false,1", "false,7", "false,100"})
    void shouldReadWhatConvertReads(boolean fixed, int batchRecords) throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int longest = seed % 20 == 0 ? 100_000 : 30;
            String text = header(fixed)
                    + IntStream.range(0, random.nextInt(40))
                            .mapToObj(_ -> line(random, longest))
                            .collect(Collectors.joining());
            Files.writeString(file, random.nextBoolean() ? text : text.stripTrailing());
            List<String> converted = new ArrayList<>();
            long bad = convert(schema(fixed), converted);
            Reading all = read(schema(fixed), 0, batchRecords);
            assertThat(all.records()).as("seed %d", seed).isEqualTo(converted);
            assertThat(all.pieces()).as("seed %d", seed).hasSize(Math.toIntExact(bad));
            shouldContinueFromEveryBatchEnd(schema(fixed), all, batchRecords);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,1", "true,7", "false,3"})
    void shouldLoseNothingOfArbitraryBytes(boolean fixed, int batchRecords) throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(header(fixed).getBytes(StandardCharsets.UTF_8));
            int count = random.nextInt(200);
            for (int i = 0; i < count; i++) {
                bytes.write(
                        random.nextInt(4) == 0 ? random.nextInt(256) : "\"\"\n\n,,\r17.".charAt(random.nextInt(10)));
            }
            Files.write(file, bytes.toByteArray());
            Reading all = read(schema(fixed), 0, batchRecords);
            shouldContinueFromEveryBatchEnd(schema(fixed), all, batchRecords);
            for (Item item : all.items()) {
                if (!item.valid()) {
                    byte[] piece = HexFormat.of().parseHex(item.bytes());
                    assertThat(bytes.toByteArray()).as("seed %d", seed).containsSubsequence(piece);
                }
            }
        }
    }

    private void shouldContinueFromEveryBatchEnd(Schema schema, Reading all, int batchRecords) throws IOException {
        for (long end : all.batchEnds()) {
            assertThat(read(schema, end, batchRecords).items())
                    .as("from %d", end)
                    .isEqualTo(all.items().stream()
                            .filter(item -> item.position() >= end)
                            .toList());
        }
    }

    @Test
    void shouldReadTheLinesAfterAQuoteThatIsNotClosed() throws IOException {
        String head = header(true);
        Files.writeString(file, head + "1,1,a\n2,2,\"b\n3,3,c\n4,4,d\n");
        Reading reading = read(FIXED, 0, 100);
        assertThat(reading.records()).hasSize(3);
        assertThat(reading.pieces()).containsExactly(head.length() + 6L);
        Files.writeString(file, head + "1,1,a\n2,2,\"b\n" + "3,3,c\n".repeat(400_000));
        reading = read(FIXED, 0, 1000);
        assertThat(reading.records()).hasSize(400_001);
        assertThat(reading.pieces()).containsExactly(head.length() + 6L);
    }

    @Test
    void shouldReadAQuotedValueAtTheEndOfTheFile() throws IOException {
        Files.writeString(file, header(true) + "1,1,a\n2,2,\"b\nc\"");
        assertThat(read(FIXED, 0, 100).records()).hasSize(2);
    }

    @Test
    void shouldSayWhatIsWrong() throws IOException {
        Files.writeString(file, header(true) + "x,y,z\n1,2\n1,2,\"a\"b\n1,2,\"c\n");
        assertThat(reasons())
                .containsExactly(
                        "Invalid value 'x' in column 1 (amount). Use a number, such as 1234.5. Invalid value 'y' in"
                                + " column 2 (id). Use a whole number, -2147483648 to 2147483647.",
                        "Invalid number of columns: 2. Write 3, as in the header.",
                        "Invalid CSV. Write a value with quotes or line breaks in quotes, and each of its quotes twice.",
                        "Missing quote at the end of a value. Close it.");
        Files.write(file, (header(true) + "1,2,\u00e4\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(reasons()).containsExactly("Invalid characters. Use UTF-8.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF", "\r\n\n", "\uFEFF\n"})
    void shouldBeginAfterTheHeader(String before) throws IOException {
        String head = before + "\"id\",NOTE, amount\r\n";
        Files.writeString(file, head + "1,a,2.50\r\n\r\n2,b,3");
        long first = head.getBytes(StandardCharsets.UTF_8).length;
        for (long from : List.of(0L, 1L, first)) {
            assertThat(read(FIXED, from, 10).items()).extracting(Item::position).containsExactly(first, first + 12);
        }
        Files.writeString(file, head);
        assertThat(read(FIXED, 0, 10).items()).isEmpty();
    }

    @Test
    void shouldRefuseAHeaderOfAnotherSchema() throws IOException {
        refused("", "line 1: Missing header of schema 'payment'. Write the names of the columns: ");
        refused("id,note\n1,a\n", "'" + file + "', line 1: Missing column 'amount'.");
        refused("id,note,amount,ammount\n", "line 1: Unknown column 4: 'ammount'. Did you mean 'amount'?");
        refused("id;note;amount\n", "line 1: Invalid separator of columns: semicolons. Use commas.");
        refused("{\"id\":1}\n", "line 1: Missing header of schema 'payment'. Write the names of the columns: ");
        refused("1,a,2.50\n", "line 1: Missing header of schema 'payment'.");
    }

    @Test
    void shouldCheckTheFileBeforeItIsRead() throws IOException {
        Files.writeString(file, "id,note,amout\n");
        assertThat(problems(FIXED))
                .singleElement(STRING)
                .startsWith("feed.csv: '" + file + "', line 1: Unknown column 3: ");
        Files.writeString(file, header(true));
        assertThat(problems(FIXED)).isEmpty();
        Files.delete(file);
        assertThat(problems(FIXED)).singleElement(STRING).contains("File not found: '" + file + "'.");
        assertThat(problems(schema("""
                schema: payment
                layout: compact
                fields:
                  - { name: tags, type: string, length: 4, repeat: many }
                """)))
                .last(STRING)
                .startsWith("schema: Schema 'payment' has the list 'tags', which CSV can't hold.");
    }

    private List<String> problems(Schema schema) {
        List<String> problems = new ArrayList<>();
        FeedCheck check =
                new FeedCheck("csv", new NoSettings(), (property, message) -> problems.add(property + ": " + message));
        new CsvFeedFactory().define(file, check).check(schema, check);
        return problems;
    }

    private void refused(String content, String message) throws IOException {
        Files.writeString(file, content);
        try (TextFeed feed = feed(FIXED, 10)) {
            assertThatThrownBy(() -> feed.open(0))
                    .isInstanceOf(ContentException.class)
                    .hasMessageContaining(message);
        }
    }

    @Test
    void shouldRejectALineThatIsTooLong() throws IOException {
        String valid = header(true) + "1,1,a\n";
        Files.writeString(file, valid + "1".repeat(3 << 20) + "\r\n2,2,b\n");
        try (TextFeed feed = feed(FIXED, 1)) {
            RecordBatch batch = new RecordBatch(FIXED);
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
            Piece piece = Objects.requireNonNull(feed.takePiece());
            assertThat(piece.position()).isEqualTo(valid.length());
            assertThat(new String(piece.bytes(), StandardCharsets.UTF_8)).isEqualTo("1".repeat(64_000));
            assertThat(piece.reason())
                    .isEqualTo(new RejectReason(
                            RejectReason.Kind.INVALID_VALUE, "The line is too long. Use at most 1048576 bytes."));
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.position(0)).isEqualTo(valid.length() + (3 << 20) + 2);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
    }

    private TextFeed feed(Schema schema, int batchRecords) {
        return new TextFeed(file, new CsvText(schema), schema, batchRecords, true);
    }

    private List<String> reasons() throws IOException {
        List<String> reasons = new ArrayList<>();
        try (TextFeed feed = feed(FIXED, 10)) {
            RecordBatch batch = new RecordBatch(FIXED);
            feed.open(0);
            while (feed.poll(batch, Duration.ZERO) != Poll.END) {
                Piece piece = feed.takePiece();
                if (piece != null) {
                    reasons.add(piece.detail());
                }
            }
        }
        return reasons;
    }

    /** Reads the feed as a pipeline does: takes pieces after each poll. */
    private Reading read(Schema schema, long from, int batchRecords) throws IOException {
        List<Item> items = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        RecordBatch batch = new RecordBatch(schema);
        try (TextFeed feed = feed(schema, batchRecords)) {
            feed.open(from);
            Poll poll;
            do {
                poll = feed.poll(batch, Duration.ZERO);
                if (poll == Poll.RECORDS) {
                    assertThat(batch.count()).isBetween(1, batchRecords);
                    for (int i = 0; i < batch.count(); i++) {
                        int at = batch.offset(i);
                        items.add(new Item(
                                true,
                                batch.position(i),
                                HexFormat.of().formatHex(batch.bytes(), at, at + batch.length(i))));
                    }
                    ends.add(batch.to());
                }
                for (Piece piece = feed.takePiece(); piece != null; piece = feed.takePiece()) {
                    assertThat(piece.detail()).isNotBlank();
                    items.add(new Item(false, piece.position(), HexFormat.of().formatHex(piece.bytes())));
                }
            } while (poll != Poll.END);
            assertThat(feed.lag()).isZero();
        }
        assertThat(items).isSortedAccordingTo((a, b) -> Long.compare(a.position(), b.position()));
        return new Reading(items, ends);
    }

    /** Converts the file, and returns the number of bad lines. */
    private long convert(Schema schema, List<String> records) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> bad = new ArrayList<>();
        RecordFormat.CSV.convert(
                RecordFormat.BINARY, schema, Files.newInputStream(file), out, record -> bad.add(record.toString()));
        ByteBuffer converted = ByteBuffer.wrap(out.toByteArray());
        while (converted.hasRemaining()) {
            int length = schema.layout().variesInLength() ? converted.getInt() : schema.baseLength();
            byte[] record = new byte[length];
            converted.get(record);
            records.add(HexFormat.of().formatHex(record));
        }
        return bad.size();
    }

    /** Returns a line that may not fit the schema, with quotes that are all closed; or a blank line. */
    private static String line(Random random, int longest) {
        String end = random.nextBoolean() ? "\n" : "\r\n";
        if (random.nextInt(8) == 0) {
            return end;
        }
        int cells = random.nextInt(10) == 0 ? 1 + random.nextInt(5) : CELLS;
        return IntStream.range(0, cells).mapToObj(_ -> cell(random, longest)).collect(Collectors.joining(",")) + end;
    }

    private static String cell(Random random, int longest) {
        String number = String.valueOf(random.nextInt(100));
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> "\"\"";
            case 2 -> "a\"b" + number;
            case 3 -> " " + number;
            case 4 -> "\"" + "\u00e4,\"\"\n".repeat(random.nextInt(1 + random.nextInt(longest) / 5)) + "\"";
            case 5 -> "\"" + number + "\"";
            case 6 -> "n".repeat(random.nextInt(1 + random.nextInt(longest)));
            default -> number;
        };
    }
}
