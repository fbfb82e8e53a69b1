package io.millrace.codec.text;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.millrace.TestBudget;
import io.millrace.codec.text.LineSplitter.Next;
import io.millrace.codec.text.csv.CsvLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSplitterTest {

    private static final int TEXTS = TestBudget.of(20_000);

    /** A line as it was read. */
    private record Read(long number, String text) {}

    /** Returns texts that break lines in every way, within quotes and outside, with quotes that may be open. */
    private static String arbitrary(Random random) {
        return random.ints(random.nextInt(40), 0, 12)
                .mapToObj(i -> List.of("\"", "\"", "\"\"", ",", ",\"", "\"\n", "\n", "\r", "\r\n", "a", "bc", "\u00e4")
                        .get(i))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSplitAsOverTheWholeText(boolean quotes) throws IOException {
        long several = 0;
        for (int seed = 0; seed < TEXTS; seed++) {
            Random random = new Random(seed);
            String text = arbitrary(random);
            List<WholeText.Line> expected = WholeText.lines(text, quotes);
            List<Read> read = new ArrayList<>();
            LineSplitter lines = new LineSplitter(new StreamWindow(dribble(text, random)), quotes, true, 1 << 20);
            for (Next next = lines.next(); next != Next.END; next = lines.next()) {
                assertThat(next).isEqualTo(Next.LINE);
                if (!lines.isEmpty()) {
                    read.add(read(lines));
                }
                lines.consume();
            }
            assertThat(read)
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(expected.stream()
                            .map(line -> new Read(line.number(), line.text()))
                            .toList());
            several += expected.stream()
                    .filter(line -> line.valid() && line.text().contains("\n"))
                    .count();
        }
        assertThat(several > TEXTS / 10)
                .as("records of several lines: %d", several)
                .isEqualTo(quotes);
    }

    private static Read read(LineSplitter lines) {
        return new Read(
                lines.number(), new String(lines.bytes(), lines.start(), lines.length(), StandardCharsets.UTF_8));
    }

    /** Returns text that arrives byte by byte, or some bytes at a time. */
    private static InputStream dribble(String text, Random random) {
        int most = 1 + random.nextInt(3) * random.nextInt(20);
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1 + random.nextInt(most)));
            }
        };
    }

    /** FastCSV, which refuses texts that are not RFC 4180, reads the whole text. */
    @Test
    void shouldReadTheValuesThatFastCsvReads() throws IOException {
        for (int seed = 0; seed < TEXTS; seed++) {
            Random random = new Random(seed);
            String text = IntStream.range(0, random.nextInt(8))
                    .mapToObj(_ -> line(random))
                    .collect(Collectors.joining());
            text = random.nextInt(4) == 0 ? text.stripTrailing() : text;
            CsvLines lines = new CsvLines(dribble((random.nextInt(4) == 0 ? "\uFEFF" : "") + text, random));
            for (CsvRecord record : CsvReader.builder()
                    .skipEmptyLines(true)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .ofCsvRecord(text)) {
                assertThat(lines.next()).as("seed %d: %s", seed, text).isTrue();
                assertThat(lines.problem()).as("seed %d: %s", seed, text).isNull();
                assertThat(lines.number()).as("seed %d: %s", seed, text).isEqualTo(record.getStartingLineNumber());
                assertThat(lines.values()).as("seed %d: %s", seed, text).isEqualTo(record.getFields());
            }
            assertThat(lines.next()).as("seed %d: %s", seed, text).isFalse();
        }
    }

    private static String line(Random random) {
        return IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(_ -> random.nextBoolean() ? quoted(random) : plain(random))
                        .collect(Collectors.joining(","))
                + List.of("\n", "\r\n", "\r").get(random.nextInt(3));
    }

    private static String quoted(Random random) {
        return "\"" + pieces(random, List.of("\"\"", ",", "\n", "\r", "\r\n", "a", "\u00e4\u20ac", " ")) + "\"";
    }

    private static String plain(Random random) {
        String value = pieces(random, List.of("\"", "a", "\u00e4\u20ac", " "));
        return value.startsWith("\"") ? "x" + value : value;
    }

    private static String pieces(Random random, List<String> pieces) {
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(_ -> pieces.get(random.nextInt(pieces.size())))
                .collect(Collectors.joining());
    }

    /** Whatever the invalid line is, those before and behind it are read. */
    @ParameterizedTest
    @ValueSource(strings = {"1,\"b", "\"", "1,\"a\"b", "\"a\"\",1", "1,\"b\"c,\"d"})
    void shouldEndAnInvalidLineAtItsLineBreak(String invalid) throws IOException {
        for (String end : List.of("\n", "\r\n", "\r")) {
            String text = String.join(end, "0,a", invalid, "2,\"c\"", "3,\"d" + end + "e\"", "4,f");
            CsvLines lines = new CsvLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            List<String> read = new ArrayList<>();
            while (lines.next()) {
                read.add(lines.number() + (lines.problem() == null ? " " : "! ") + String.join("|", lines.values()));
            }
            assertThat(read).containsExactly("1 0|a", "2! " + invalid, "3 2|c", "4 3|d" + end + "e", "6 4|f");
        }
    }

    @Test
    void shouldShowBytesThatAreNotUtf8() throws IOException {
        byte[] bytes = "a,b\n1,caf\u00e9\n2,caf\u00e9\u00e9,\n3,d\n".getBytes(StandardCharsets.ISO_8859_1);
        CsvLines lines = new CsvLines(new ByteArrayInputStream(bytes));
        assertThat(lines.header()).containsExactly("a", "b");
        assertThat(lines.next()).isTrue();
        assertThat(lines.number()).isEqualTo(2);
        assertThat(lines.problem()).isEqualTo("Invalid characters. Use UTF-8.");
        assertThat(lines.values()).containsExactly("1,caf\\xE9");
        assertThat(lines.next()).isTrue();
        assertThat(lines.values()).containsExactly("2,caf\\xE9\\xE9,");
        assertThat(lines.next()).isTrue();
        assertThat(lines.problem()).isNull();
        assertThat(lines.values()).containsExactly("3", "d");
    }

    /** Whether a line is too long does not depend on how many bytes are read at a time. */
    @Test
    void shouldContinueBehindALineThatIsTooLong() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            String text =
                    "a\r\n" + "b".repeat(8) + "\r\n\"" + "c".repeat(5) + "\n\"\nd\"" + "e".repeat(random.nextInt(8, 30))
                            + List.of("\n", "\r\n", "\r").get(random.nextInt(3)) + "f".repeat(8) + "\r" + "g".repeat(9);
            LineSplitter lines = new LineSplitter(new StreamWindow(dribble(text, random)), true, true, 8);
            List<Read> read = new ArrayList<>();
            for (Next next = lines.next(); next == Next.LINE; next = lines.next()) {
                read.add(read(lines));
                lines.consume();
            }
            assertThat(read).containsExactly(new Read(1, "a"), new Read(2, "b".repeat(8)), new Read(3, "\"ccccc\n\""));
            assertThat(lines.next()).isEqualTo(Next.TOO_LONG);
            assertThat(lines.next()).isEqualTo(Next.TOO_LONG);
            assertThat(read(lines)).isEqualTo(new Read(5, "d\"" + "e".repeat(6)));
            assertThat(lines.lengthProblem()).isEqualTo("The line is too long. Use at most 8 bytes.");
            lines.consume();
            assertThat(lines.next()).isEqualTo(Next.LINE);
            assertThat(read(lines)).isEqualTo(new Read(6, "f".repeat(8)));
            lines.consume();
            assertThat(lines.next()).isEqualTo(Next.TOO_LONG);
            lines.consume();
            assertThat(lines.next()).isEqualTo(Next.END);
        }
    }

    @Test
    void shouldRejectTheLineOfAQuoteThatIsNotClosedWithinTheMaximum() throws IOException {
        String text = "a,\"\nb\nc,\"\nd\n";
        LineSplitter lines = new LineSplitter(new StreamWindow(dribble(text, new Random(1))), true, true, 4);
        List<Read> read = new ArrayList<>();
        for (Next next = lines.next(); next == Next.LINE; next = lines.next()) {
            read.add(read(lines));
            lines.consume();
        }
        assertThat(read).containsExactly(new Read(1, "a,\""), new Read(2, "b"), new Read(3, "c,\""), new Read(4, "d"));
    }

    @Test
    void shouldRejectALineOfCsvThatIsTooLong() throws IOException {
        InputStream in = new InputStream() {
            private long left = 40_000_000;

            @Override
            public int read() {
                return left-- > 0 ? (left % 10_000_000 == 0 && left > 20_000_000 ? '\n' : 'a') : -1;
            }

            @Override
            public int read(byte[] into, int at, int length) {
                int count = 0;
                for (int next = 0; count < length && (next = read()) >= 0; count++) {
                    into[at + count] = (byte) next;
                }
                return count == 0 && length > 0 ? -1 : count;
            }
        };
        CsvLines lines = new CsvLines(in);
        assertThat(lines.next()).isTrue();
        assertThat(lines.next()).isTrue();
        assertThat(lines.number()).isEqualTo(2);
        assertThat(lines.problem()).isEqualTo("The line is too long. Use at most 16777216 bytes.");
        assertThat(lines.values()).containsExactly("a".repeat(64_000));
        assertThat(lines.next()).isFalse();
    }
}
