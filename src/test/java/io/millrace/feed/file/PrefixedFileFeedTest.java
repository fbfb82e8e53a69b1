package io.millrace.feed.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The feed of a file of compact records, as {@code convert} writes them. */
class PrefixedFileFeedTest {

    private static final Schema NOTE = SchemaReader.read("note.yml", """
            schema: note
            layout: compact
            fields:
              - { name: id, type: u32 }
              - { name: text, type: string, length: 1000000, optional: true }
            """.getBytes(StandardCharsets.UTF_8));

    /** A record of the feed. */
    private record Item(long position, String bytes) {}

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("notes.bin");
    }

    private static byte[] converted(String lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayInputStream in = new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8));
        RecordFormat.JSON.convert(RecordFormat.BINARY, NOTE, in, out, bad -> {
            throw new AssertionError(bad);
        });
        return out.toByteArray();
    }

    private List<Item> read(long from, int batchRecords) throws IOException {
        List<Item> items = new ArrayList<>();
        RecordBatch batch = new RecordBatch(NOTE);
        try (PrefixedFileFeed feed = new PrefixedFileFeed(file, NOTE, batchRecords)) {
            feed.open(from);
            long position = from;
            while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                assertThat(batch.from()).isEqualTo(position);
                assertThat(batch.count()).isBetween(1, batchRecords);
                for (int i = 0; i < batch.count(); i++) {
                    int at = batch.offset(i);
                    items.add(new Item(
                            batch.position(i), HexFormat.of().formatHex(batch.bytes(), at, at + batch.length(i))));
                }
                position = batch.to();
                assertThat(feed.lag()).isEqualTo(Files.size(file) - position);
            }
            assertThat(feed.takePiece()).isNull();
        }
        return items;
    }

    @Test
    void shouldReadEveryRecordOnceFromAnyPosition() throws IOException {
        Random random = new Random(5);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            int length = random.nextInt(9) == 0 ? random.nextInt(900_000) : random.nextInt(50);
            lines.append("{\"id\":")
                    .append(i)
                    .append(",\"text\":\"")
                    .append("x".repeat(length))
                    .append("\"}\n");
        }
        byte[] bytes = converted(lines.toString());
        Files.write(file, bytes);
        List<Item> expected = new ArrayList<>();
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.hasRemaining()) {
            int position = all.position();
            byte[] record = new byte[all.getInt()];
            all.get(record);
            expected.add(new Item(position, HexFormat.of().formatHex(record)));
        }
        assertThat(expected).hasSize(60);
        assertThat(read(0, 7)).isEqualTo(expected);
        assertThat(read(0, 100)).isEqualTo(expected);
        for (int i = 0; i < expected.size(); i += 7) {
            assertThat(read(expected.get(i).position(), 10)).isEqualTo(expected.subList(i, expected.size()));
        }
        assertThat(read(bytes.length, 10)).isEmpty();
    }

    @Test
    void shouldReturnWhatIsLeftOfACutRecordAndContinueWhenItIsComplete() throws IOException {
        byte[] bytes = converted("{\"id\":1}\n{\"id\":2,\"text\":\"abc\"}\n");
        int second = 4 + bytes[3];
        RecordBatch batch = new RecordBatch(NOTE);
        for (int length = second + 1; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            try (PrefixedFileFeed feed = new PrefixedFileFeed(file, NOTE, 8)) {
                feed.open(0);
                assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
                assertThat(batch.count()).isEqualTo(1);
                assertThat(batch.to()).isEqualTo(second);
                assertThat(feed.takePiece()).isNull();
                assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
                Piece piece = Objects.requireNonNull(feed.takePiece());
                assertThat(piece.position()).isEqualTo(second);
                assertThat(piece.bytes()).isEqualTo(Arrays.copyOfRange(bytes, second, length));
                assertThat(piece.detail())
                        .isEqualTo("Truncated record at the end of the feed: " + (length - second)
                                + " bytes of a length and its record.");
            }
        }
        Files.write(file, bytes);
        assertThat(read(second, 8)).hasSize(1);
    }

    @Test
    void shouldLeaveRecordsWhereTheyWereRead() throws IOException {
        byte[] bytes = converted("{\"id\":1}\n{\"id\":2,\"text\":\"abc\"}\n{\"id\":3}\n");
        Files.write(file, bytes);
        RecordBatch batch = new RecordBatch(NOTE);
        try (PrefixedFileFeed feed = new PrefixedFileFeed(file, NOTE, 8)) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(3);
            assertThat(Arrays.copyOf(batch.bytes(), bytes.length)).isEqualTo(bytes);
            for (int i = 1; i < 3; i++) {
                assertThat(batch.offset(i)).isEqualTo(batch.offset(i - 1) + batch.length(i - 1) + Integer.BYTES);
                assertThat(batch.position(i)).isEqualTo(batch.offset(i) - Integer.BYTES);
            }
        }
    }

    @Test
    void shouldFailAtAnInvalidLength() throws IOException {
        byte[] bytes = converted("{\"id\":1}\n{\"id\":2}\n");
        int second = 4 + bytes[3];
        bytes[second] = 2;
        Files.write(file, bytes);
        RecordBatch batch = new RecordBatch(NOTE);
        try (PrefixedFileFeed feed = new PrefixedFileFeed(file, NOTE, 8)) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(1);
            assertThatThrownBy(() -> feed.poll(batch, Duration.ZERO))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Invalid length of a record at byte " + second + " of '" + file + "': "
                            + (0x02000000 + bytes[second + 3])
                            + ". A record of schema 'note' has at most 16777216 bytes.");
        }
    }

    @Test
    void shouldRefuseOtherContentAndFilesShorterThanThePosition() throws IOException {
        try (PrefixedFileFeed feed = new PrefixedFileFeed(file, NOTE, 8)) {
            Files.writeString(file, "{\"id\":1}\n");
            assertThatThrownBy(() -> feed.open(0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is JSON, not binary records.");
            Files.write(file, converted("{\"id\":1}\n"));
            assertThatThrownBy(() -> feed.open(1000)).isInstanceOf(EOFException.class);
        }
    }
}
