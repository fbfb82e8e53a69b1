package io.millrace.feed.text;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.JsonText;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.RowSink;
import io.millrace.codec.text.WholeText;
import io.millrace.codec.text.csv.CsvText;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that end anywhere and grow: whatever the feed has read before, it delivers the records and rejects of the whole
 * file. Texts have one character per byte.
 */
class GrowingTextTest {

    private static final int NOTE_BYTES = 40;
    private static final int TEXTS = TestBudget.of(48);
    private static final List<String> LINE_ENDS = List.of("\n", "\r\n", "\r");

    private static final Schema SCHEMA = SchemaReader.read("event.yml", """
            schema: event
            fields:
              - { name: id, type: i32 }
              - { name: note, type: string, length: 40, charset: utf8, pad: zero }
            """.getBytes(StandardCharsets.UTF_8));

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("events");
    }

    /** A form of text with shorter lines, so that each cut of a line that is too long can be tested. */
    private record ShortLines(RecordText text, int maxBytes) implements RecordText {

        @Override
        public boolean quotes() {
            return text.quotes();
        }

        @Override
        public boolean endsItself() {
            return text.endsItself();
        }

        @Override
        public boolean readHead(LineSplitter lines) throws IOException {
            return text.readHead(lines);
        }

        @Override
        public List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException {
            return text.read(bytes, from, length, records);
        }
    }

    /** Maximum length of a line; 0 for that of the form. */
    private int maxBytes;

    private RecordText form(boolean csv) {
        RecordText form = csv ? new CsvText(SCHEMA) : new JsonText(SCHEMA);
        return maxBytes == 0 ? form : new ShortLines(form, maxBytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void shouldRejectALineThatIsTooLongWhereverTheFileEnded(String end) throws IOException {
        maxBytes = 30;
        for (boolean csv : List.of(true, false)) {
            String before = csv ? "id,note" + end + "1,\"a\"" + end : "{\"id\":1,\"note\":\"a\"}" + end;
            String tooLong = (csv ? "2,\"" : "{\"id\":2,\"note\":\"") + "b".repeat(70);
            String text = before + tooLong + end + (csv ? "3,c" : "{\"id\":3,\"note\":\"c\"}") + end;
            List<Item> expected = List.of(
                    new Item(true, csv ? 7 + end.length() : 0, "1|a"),
                    new Item(false, before.length(), tooLong.substring(0, maxBytes)),
                    new Item(true, before.length() + tooLong.length() + end.length(), "3|c"));
            for (int cut = 0; cut <= text.length(); cut++) {
                assertThat(grown(csv, text, List.of(cut), 3))
                        .as("cut at %d", cut)
                        .isEqualTo(expected);
            }
            assertThat(read(csv, 0, 1, true).items()).isEqualTo(expected);
        }
    }

    /** A record as {@code id|note}, or a piece with the text of its line. */
    private record Item(boolean valid, long position, String text) {}

    /** What a feed returned, and the position up to which its batches reach. */
    private record Reading(List<Item> items, List<Piece> pieces, long position) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void shouldReadCsvThatGrowsAsTheWholeFile(int batchRecords) throws IOException {
        for (int seed = 0; seed < TEXTS; seed++) {
            Random random = new Random(seed);
            String text = (random.nextInt(4) == 0 ? "\u00ef\u00bb\u00bf" : "")
                    + "id,note" + end(random, seed)
                    + lines(random, seed, true)
                    // Closes a quote that is open, so that the file ends behind a line.
                    + "9,\"z\"" + end(random, seed);
            shouldReadAsTheWholeFile("seed " + seed, true, text, expectedCsv(text), random, batchRecords);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void shouldReadJsonLinesThatGrowAsTheWholeFile(int batchRecords) throws IOException {
        for (int seed = 0; seed < TEXTS; seed++) {
            Random random = new Random(seed);
            String text = lines(random, seed, false);
            List<Item> expected = WholeText.lines(text, false).stream()
                    .map(line -> line.text().matches("\\{\"id\":\\d+,\"note\":\"\\w*\"}")
                            ? new Item(true, line.start(), line.text().replaceAll("\\D*(\\d+).*\"(\\w*)\"}", "$1|$2"))
                            : new Item(false, line.start(), line.text()))
                    .toList();
            shouldReadAsTheWholeFile("seed " + seed, false, text, expected, random, batchRecords);
        }
    }

    private void shouldReadAsTheWholeFile(
            String seed, boolean csv, String text, List<Item> expected, Random random, int batchRecords)
            throws IOException {
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        assertThat(read(csv, 0, batchRecords, false).items())
                .as("%s: %s", seed, text)
                .isEqualTo(expected);
        assertThat(read(csv, 0, batchRecords, true).items())
                .as("%s: %s", seed, text)
                .isEqualTo(expected);
        for (int cut = 0; cut <= text.length(); cut++) {
            assertThat(grown(csv, text, List.of(cut), batchRecords))
                    .as("%s, cut at %d: %s", seed, cut, text)
                    .isEqualTo(expected);
        }
        List<Integer> cuts =
                random.ints(4, 0, text.length() + 1).sorted().boxed().toList();
        assertThat(grown(csv, text, cuts, batchRecords))
                .as("%s, cut at %s: %s", seed, cuts, text)
                .isEqualTo(expected);
    }

    /**
     * Reads a file that has grown between the starts of a pipeline. As in a pipeline, rejects behind the position are
     * removed by the next start, which reads from the position.
     */
    private List<Item> grown(boolean csv, String text, List<Integer> cuts, int batchRecords) throws IOException {
        List<Item> stored = new ArrayList<>();
        long position = 0;
        List<Integer> ends = new ArrayList<>(cuts);
        ends.add(text.length());
        for (int end : ends) {
            Files.writeString(file, text.substring(0, end), StandardCharsets.ISO_8859_1);
            long start = position;
            assertThat(stored.stream().filter(item -> item.position() >= start)).noneMatch(Item::valid);
            stored.removeIf(item -> item.position() >= start);
            Reading reading = read(csv, start, batchRecords, false);
            stored.addAll(reading.items());
            position = reading.position();
        }
        return stored;
    }

    private Reading read(boolean csv, long from, int batchRecords, boolean last) throws IOException {
        List<Item> items = new ArrayList<>();
        List<Piece> pieces = new ArrayList<>();
        long position = from;
        RecordBatch batch = new RecordBatch(SCHEMA);
        try (TextFeed feed = new TextFeed(file, form(csv), SCHEMA, batchRecords, last)) {
            feed.open(from);
            Poll poll;
            do {
                poll = feed.poll(batch, Duration.ZERO);
                if (poll == Poll.RECORDS) {
                    for (int i = 0; i < batch.count(); i++) {
                        items.add(new Item(true, batch.position(i), text(batch.bytes(), batch.offset(i))));
                    }
                    position = batch.to();
                }
                for (Piece piece = feed.takePiece(); piece != null; piece = feed.takePiece()) {
                    pieces.add(piece);
                    items.add(
                            new Item(false, piece.position(), new String(piece.bytes(), StandardCharsets.ISO_8859_1)));
                }
            } while (poll != Poll.END);
            assertThat(feed.lag()).isZero();
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
            assertThat(feed.takePiece()).isNull();
        }
        return new Reading(items, pieces, position);
    }

    private static String text(byte[] bytes, int at) {
        String note = new String(bytes, at + Integer.BYTES, NOTE_BYTES, StandardCharsets.UTF_8);
        return ByteBuffer.wrap(bytes).getInt(at) + "|" + note.replace("\0", "");
    }

    private static String end(Random random, int seed) {
        return LINE_ENDS.get(seed % 4 == 3 ? random.nextInt(3) : seed % 4);
    }

    private static String lines(Random random, int seed, boolean csv) {
        return IntStream.range(0, random.nextInt(8))
                .mapToObj(_ -> (csv ? csvLine(random) : jsonLine(random)) + end(random, seed))
                .collect(Collectors.joining());
    }

    private static String csvLine(Random random) {
        int id = random.nextInt(20);
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> id + ",\"a\"b";
            case 2 -> id + ",\"open";
            case 3 -> id + ",a,b";
            case 4 -> id + ",\u00e4";
            case 5 -> id + ",\"\u00c3\u00a4\"";
            case 6 -> "\"" + id + "\",a\"b";
            // A line within quotes is a record by itself.
            case 7 -> id + ",\"c" + end(random, 3) + "7,d" + end(random, 3) + "\"\"\"";
            case 8 -> id + ",\"" + end(random, 3) + end(random, 3) + ",\"";
            case 9 -> "x" + id + ",\"" + end(random, 3) + "\"";
            default -> id + ",n" + id;
        };
    }

    private static String jsonLine(Random random) {
        String valid = "{\"id\":" + random.nextInt(20) + ",\"note\":\"n" + random.nextInt(200) + "\"}";
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> valid.substring(0, random.nextInt(valid.length()));
            case 2 -> "garbage \u00e4";
            default -> valid;
        };
    }

    private static List<Item> expectedCsv(String text) {
        int head = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
        return WholeText.lines(text.substring(head), true).stream()
                .skip(1)
                .map(line -> expected(line, head + line.start()))
                .toList();
    }

    private static Item expected(WholeText.Line line, int position) {
        Item invalid = new Item(false, position, line.text());
        if (!line.valid()) {
            return invalid;
        }
        try {
            byte[] bytes = line.text().getBytes(StandardCharsets.ISO_8859_1);
            String utf8 = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            CsvRecord record = CsvReader.builder()
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .ofCsvRecord(utf8)
                    .stream()
                    .findFirst()
                    .orElseThrow();
            return record.getFieldCount() == 2 && record.getField(0).matches("\\d{1,9}")
                    ? new Item(true, position, record.getField(0) + "|" + record.getField(1))
                    : invalid;
        } catch (CharacterCodingException _) {
            return invalid;
        }
    }

    @Test
    void shouldKeepALineWithoutLineEndUntilItEnds() throws IOException {
        Files.writeString(file, "id,note\n1,a\n2,12.3");
        Reading first = read(true, 0, 10, false);
        assertThat(first.items()).containsExactly(new Item(true, 8, "1|a"), new Item(false, 12, "2,12.3"));
        assertThat(first.position()).isEqualTo(12);
        assertThat(first.pieces().getFirst().reason())
                .isEqualTo(new RejectReason(
                        RejectReason.Kind.TRUNCATED,
                        "Truncated line at the end of the feed: 6 bytes without a line end. If the file does not grow,"
                                + " set 'final: true'."));
        Files.writeString(file, "id,note\n1,a\n2,12.34\n3,12.4\n");
        assertThat(read(true, 12, 10, false).items())
                .containsExactly(new Item(true, 12, "2|12.34"), new Item(true, 20, "3|12.4"));
    }

    @Test
    void shouldReadTheLastLineOfAFileThatDoesNotGrow() throws IOException {
        Files.writeString(file, "id,note\n1,a\n2,\"b");
        assertThat(read(true, 0, 10, true).pieces())
                .singleElement()
                .extracting(Piece::detail)
                .isEqualTo("Missing quote at the end of a value. Close it.");
        Files.writeString(file, "id,note\n1,a\n2,12.3");
        assertThat(read(true, 0, 10, true).items())
                .containsExactly(new Item(true, 8, "1|a"), new Item(true, 12, "2|12.3"));
    }

    /** The file has grown although it was said not to: the rest of the line is not taken for another record. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRejectWhatFollowsARecordInItsLine(boolean last) throws IOException {
        Files.writeString(file, "id,note\n1,a\n2,12.3");
        long position = read(true, 0, 10, true).position();
        Files.writeString(file, "id,note\n1,a\n2,12.34,\"\n3,b\n");
        Reading rest = read(true, position, 10, last);
        assertThat(rest.items()).containsExactly(new Item(false, 18, "4,\""), new Item(true, 22, "3|b"));
        assertThat(rest.pieces().getFirst().detail()).startsWith("Text behind a record in the same line.");
        for (String end : LINE_ENDS) {
            Files.writeString(file, "id,note\n1,a\n2,12.3" + end + "3,b\n");
            assertThat(read(true, position, 10, last).items())
                    .containsExactly(new Item(true, 18 + end.length(), "3|b"));
        }
    }

    @Test
    void shouldRejectWhatFollowsAnObjectInItsLine() throws IOException {
        Files.writeString(file, "{\"id\":1,\"note\":\"a\"}");
        Reading first = read(false, 0, 10, false);
        assertThat(first.items()).containsExactly(new Item(true, 0, "1|a"));
        Files.writeString(file, "{\"id\":1,\"note\":\"a\"}{\"id\":2,\"note\":\"b\"}\n{\"id\":3,\"note\":\"c\"}");
        assertThat(read(false, first.position(), 10, false).items())
                .containsExactly(new Item(false, 19, "{\"id\":2,\"note\":\"b\"}"), new Item(true, 39, "3|c"));
    }

    @Test
    void shouldWaitForTheHeader() throws IOException {
        for (String text : List.of("", "\u00ef", "\u00ef\u00bb\u00bf", "\n\r\n", "id,no", "id,note", "\"id\r\n")) {
            Files.writeString(file, text, StandardCharsets.ISO_8859_1);
            Reading reading = read(true, 0, 10, false);
            assertThat(reading.position()).isZero();
            assertThat(reading.items()).noneMatch(Item::valid);
        }
        for (String text : List.of("id,note\n", "id,note\r", "\u00ef\u00bb\u00bf\r\n\rid,note\r\n")) {
            Files.writeString(file, text, StandardCharsets.ISO_8859_1);
            assertThat(read(true, 0, 10, false).items()).isEmpty();
        }
    }
}
