package io.millrace.feed.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Split;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFeedTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int LENGTH = TRADE.recordLength();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("trades.bin");
    }

    @Test
    void shouldBringEveryRecordOnceWithItsPosition() throws IOException {
        Files.write(file, numbered(10 * LENGTH));
        RecordBatch batch = new RecordBatch(TRADE);
        try (FileFeed feed = new FileFeed(file, TRADE, 4, Split.WHOLE)) {
            feed.open(0);
            int records = 0;
            while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                assertThat(batch.from()).isEqualTo((long) records * LENGTH);
                assertThat(batch.bytes()[batch.offset(0)]).isEqualTo((byte) (records * LENGTH));
                records += batch.count();
                assertThat(batch.to()).isEqualTo((long) records * LENGTH);
                assertThat(feed.lag()).isEqualTo((10L - records) * LENGTH);
            }
            assertThat(records).isEqualTo(10);
            assertThat(feed.takePiece()).isNull();
        }
    }

    @Test
    void shouldGoOnFromAPosition() throws IOException {
        Files.write(file, numbered(10 * LENGTH));
        RecordBatch batch = new RecordBatch(TRADE);
        try (FileFeed feed = new FileFeed(file, TRADE, 100, Split.WHOLE)) {
            feed.open(7L * LENGTH);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(3);
            assertThat(batch.bytes()[batch.offset(0)]).isEqualTo((byte) (7 * LENGTH));
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
    }

    @Test
    void shouldReportWhatIsLeftOfACutRecord() throws IOException {
        for (int left = 1; left < LENGTH; left++) {
            byte[] bytes = numbered(2 * LENGTH + left);
            Files.write(file, bytes);
            RecordBatch batch = new RecordBatch(TRADE);
            try (FileFeed feed = new FileFeed(file, TRADE, 8, Split.WHOLE)) {
                feed.open(0);
                assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
                assertThat(batch.count()).isEqualTo(2);
                assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
                Piece piece = Objects.requireNonNull(feed.takePiece());
                assertThat(piece.position()).isEqualTo(2L * LENGTH);
                assertThat(piece.bytes()).hasSize(left).startsWith(bytes[2 * LENGTH]);
                assertThat(piece.detail())
                        .isEqualTo("Truncated record at the end of the feed: " + left + " of " + LENGTH + " bytes.");
                assertThat(feed.takePiece()).isNull();
            }
        }
    }

    /** As by a user who puts the next day's file in the place of today's, while that is still being read. */
    @Test
    void shouldIdentifyTheFileThatItReadsAndNotTheOneThatHasTakenItsPlace() throws IOException {
        Files.write(file, numbered(10 * LENGTH));
        byte[] other = new byte[10 * LENGTH];
        Path next = Files.write(folder.resolve("next.bin"), other);
        RecordBatch batch = new RecordBatch(TRADE);
        try (FileFeed feed = new FileFeed(file, TRADE, 4, Split.WHOLE)) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            String identity = feed.identity(batch.to());

            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
            assertThat(feed.identity(batch.to())).isEqualTo(identity);
            assertThatThrownBy(() -> feed.verify(identity)).isInstanceOf(FeedChangedException.class);

            Files.delete(file);
            assertThat(feed.identity(batch.to())).isEqualTo(identity);
        }
    }

    @Test
    void shouldRefuseAFileShorterThanWhatWasRead() throws IOException {
        Files.write(file, numbered(LENGTH));
        try (FileFeed feed = new FileFeed(file, TRADE, 8, Split.WHOLE)) {
            assertThatThrownBy(() -> feed.open(2L * LENGTH))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("has 39 bytes")
                    .hasMessageContaining("up to byte 78");
        }
    }

    @Test
    void shouldRefuseAFileThatDoesNotContainRecords() throws IOException {
        Files.copy(Path.of("examples/trades.csv"), file);
        try (FileFeed feed = new FileFeed(file, TRADE, 8, Split.WHOLE)) {
            assertThatThrownBy(() -> feed.open(0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + "' is text, not binary records.");
        }
    }

    private static byte[] numbered(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
