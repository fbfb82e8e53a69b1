package io.millrace.feed.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.text.JsonText;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedChangedException;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLinesFeedTest {

    private static final Schema EVENT = SchemaReader.read("event.yml", """
            schema: event
            layout: compact
            fields:
              - { name: id, type: i32 }
              - { name: note, type: string, length: 1000000, optional: true }
            """.getBytes(StandardCharsets.UTF_8));

    /** More than the feed's first buffer, so that it has to grow. */
    private static final int LONG_NOTE = 600_000;

    private static final List<String> LINE_ENDS = List.of("\n", "\n", "\r\n", "\r");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("events.jsonl");
    }

    /** A record or a piece that a feed returns. */
    private record Item(boolean valid, long position, String bytes) {}

    /** What a feed returned, and the positions at which its batches ended. */
    private record Reading(List<Item> items, List<Long> batchEnds) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void shouldReturnEveryLineExactlyOnceFromEveryBatchEnd(int batchRecords) throws IOException {
        for (int seed = 0; seed < 15; seed++) {
            List<Item> expected = write(new Random(seed), 30, 400);
            Reading all = read(0, batchRecords);
            assertThat(all.items()).as("seed %d", seed).isEqualTo(expected);
            for (long end : all.batchEnds()) {
                assertThat(read(end, batchRecords).items())
                        .as("seed %d from %d", seed, end)
                        .isEqualTo(expected.stream()
                                .filter(item -> item.position() >= end)
                                .toList());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void shouldReadLinesLongerThanItsBuffer(int batchRecords) throws IOException {
        for (int seed = 0; seed < 3; seed++) {
            List<Item> expected = write(new Random(seed), 12, LONG_NOTE);
            Reading all = read(0, batchRecords);
            assertThat(all.items().equals(expected)).as("seed %d", seed).isTrue();
            for (long end : all.batchEnds()) {
                List<Item> rest =
                        expected.stream().filter(item -> item.position() >= end).toList();
                assertThat(read(end, batchRecords).items().equals(rest))
                        .as("seed %d from %d", seed, end)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldIdentifyTheFileItReads() throws IOException {
        Files.writeString(file, "{\"id\":1}\n{\"id\":2}\n");
        Path next = Files.writeString(folder.resolve("next.jsonl"), "{\"id\":3}\n{\"id\":4}\n");
        RecordBatch batch = new RecordBatch(EVENT);
        try (TextFeed feed = new TextFeed(file, new JsonText(EVENT), EVENT, 1, false)) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            String identity = feed.identity(batch.to());
            feed.verify(identity);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
            assertThat(feed.identity(batch.to())).isEqualTo(identity);
            assertThatThrownBy(() -> feed.verify(identity)).isInstanceOf(FeedChangedException.class);
        }
    }

    @Test
    void shouldRefuseAFileThatEndsBeforeThePosition() throws IOException {
        Files.writeString(file, "{\"id\":1}\n");
        try (TextFeed feed = new TextFeed(file, new JsonText(EVENT), EVENT, 1, false)) {
            assertThatThrownBy(() -> feed.open(10)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void shouldReturnTheLastLineWithoutLineFeed() throws IOException {
        Files.writeString(file, "{\"id\":1}\r\n\n{\"id\":2}");
        assertThat(read(0, 10).items()).extracting(Item::position).containsExactly(0L, 11L);
        Files.writeString(file, "");
        assertThat(read(0, 10).items()).isEmpty();
        Files.writeString(file, " \r\n\n\t");
        assertThat(read(0, 10).items()).isEmpty();
    }

    @Test
    void shouldSkipAByteOrderMark() throws IOException {
        Files.writeString(file, "\uFEFF{\"id\":1}\n{\"id\":2}\n");
        assertThat(read(0, 10).items()).extracting(Item::position).containsExactly(3L, 12L);
    }

    /** Reads the feed as a pipeline does: takes pieces after each poll. */
    private Reading read(long from, int batchRecords) throws IOException {
        List<Item> items = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        RecordBatch batch = new RecordBatch(EVENT);
        try (TextFeed feed = new TextFeed(file, new JsonText(EVENT), EVENT, batchRecords, false)) {
            feed.open(from);
            long position = from;
            Poll poll;
            do {
                poll = feed.poll(batch, Duration.ZERO);
                if (poll == Poll.RECORDS) {
                    assertThat(batch.count()).isBetween(1, batchRecords);
                    assertThat(batch.from()).isGreaterThanOrEqualTo(position);
                    for (int i = 0; i < batch.count(); i++) {
                        items.add(new Item(
                                true,
                                batch.position(i),
                                HexFormat.of()
                                        .formatHex(batch.bytes(), batch.offset(i), batch.offset(i) + batch.length(i))));
                    }
                    position = batch.to();
                    ends.add(position);
                }
                Piece piece = feed.takePiece();
                while (piece != null) {
                    assertThat(piece.position()).isGreaterThanOrEqualTo(position);
                    assertThat(piece.detail()).isNotBlank();
                    items.add(new Item(false, piece.position(), HexFormat.of().formatHex(piece.bytes())));
                    piece = feed.takePiece();
                }
                assertThat(feed.lag()).isBetween(0L, Files.size(file) - position);
            } while (poll != Poll.END);
            assertThat(feed.lag()).isZero();
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
        return new Reading(items, ends);
    }

    /** Writes a file of random lines and returns what a feed of it must return. */
    private List<Item> write(Random random, int lines, int maxNote) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Item> expected = new ArrayList<>();
        JsonToCompact records = new JsonToCompact(EVENT);
        int count = random.nextInt(lines);
        for (int i = 0; i < count; i++) {
            byte[] line = line(random, i, maxNote);
            long position = bytes.size();
            if (!new String(line, StandardCharsets.ISO_8859_1).isBlank()) {
                expected.add(item(records, line, position));
            }
            bytes.write(line);
            if (i + 1 < count || random.nextBoolean()) {
                bytes.writeBytes(LINE_ENDS.get(random.nextInt(LINE_ENDS.size())).getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.write(file, bytes.toByteArray());
        return expected;
    }

    private static Item item(JsonToCompact records, byte[] line, long position) {
        records.encoder().clear();
        try {
            records.append(line, 0, line.length);
            return new Item(
                    true, position, HexFormat.of().formatHex(records.encoder().toBytes()));
        } catch (JsonRecordException e) {
            return new Item(false, position, HexFormat.of().formatHex(line));
        }
    }

    private static byte[] line(Random random, int id, int maxNote) {
        String note = "ä".repeat(random.nextInt(1 + random.nextInt(maxNote / 2)));
        String valid = "{\"id\":" + id + ",\"note\":\"" + note + "\"}";
        return switch (random.nextInt(8)) {
            case 0 -> " \t".repeat(random.nextInt(3)).getBytes(StandardCharsets.UTF_8);
            case 1 -> valid.substring(0, random.nextInt(valid.length())).getBytes(StandardCharsets.UTF_8);
            case 2 -> valid.replace("id", "ib").getBytes(StandardCharsets.UTF_8);
            case 3 -> garbage(random);
            default -> valid.getBytes(StandardCharsets.UTF_8);
        };
    }

    /** Returns bytes that are no text, without a line feed. */
    private static byte[] garbage(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(12)];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] >= 0 && bytes[i] <= ' ' ? (byte) 0xC3 : bytes[i];
        }
        return bytes;
    }
}
