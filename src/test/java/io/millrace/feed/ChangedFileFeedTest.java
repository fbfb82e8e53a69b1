package io.millrace.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.extension.NoSettings;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.file.FileDefinition;
import io.millrace.feed.pcap.CaptureInputs;
import io.millrace.feed.pcap.PcapFeed;
import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.feed.text.CsvFeedFactory;
import io.millrace.feed.text.JsonLinesFeedFactory;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are overwritten or truncated in place while a feed reads them, of each kind of feed that reads a file. */
class ChangedFileFeedTest {

    /** So many that no feed reads the whole file ahead. */
    private static final int RECORDS = 60_000;

    private static final int BATCH_RECORDS = 100;

    private static final Schema FIXED = schema("fixed", "{ name: id, type: i64 }, { name: value, type: f64 }");
    private static final Schema COMPACT =
            schema("compact", "{ name: id, type: i64 }, { name: text, type: string, length: 40 }");

    @TempDir
    Path folder;

    private static Schema schema(String layout, String fields) {
        return SchemaReader.read(
                "event.yml",
                ("schema: event\nlayout: " + layout + "\nfields: [ " + fields + " ]\n")
                        .getBytes(StandardCharsets.UTF_8));
    }

    /** The kinds of feeds that read a file. */
    enum Kind {
        FILE {
            @Override
            byte[] content(Random random) {
                ByteBuffer bytes = ByteBuffer.allocate(RECORDS * 16);
                while (bytes.hasRemaining()) {
                    bytes.putLong(random.nextInt()).putDouble(random.nextDouble());
                }
                return bytes.array();
            }

            @Override
            Feed feed(Path file) {
                return new FileDefinition(file).create(context(FIXED));
            }
        },
        PREFIXED_FILE {
            @Override
            byte[] content(Random random) throws IOException {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                RecordFormat.JSON.convert(
                        RecordFormat.BINARY,
                        COMPACT,
                        new ByteArrayInputStream(JSON_LINES.content(random)),
                        out,
                        bad -> {
                            throw new AssertionError(bad);
                        });
                return out.toByteArray();
            }

            @Override
            Feed feed(Path file) {
                return new FileDefinition(file).create(context(COMPACT));
            }
        },
        CSV {
            @Override
            byte[] content(Random random) {
                StringBuilder text = new StringBuilder("id,value\n");
                for (int i = 0; i < RECORDS; i++) {
                    text.append(random.nextInt())
                            .append(',')
                            .append(random.nextDouble())
                            .append('\n');
                }
                return text.toString().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            Feed feed(Path file) {
                return defined(new CsvFeedFactory().define(file, check())).create(context(FIXED));
            }
        },
        JSON_LINES {
            @Override
            byte[] content(Random random) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < RECORDS; i++) {
                    text.append("{\"id\":")
                            .append(random.nextInt())
                            .append(",\"text\":\"")
                            .append(random.nextDouble())
                            .append("\"}\n");
                }
                return text.toString().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            Feed feed(Path file) {
                return defined(new JsonLinesFeedFactory().define(file, check())).create(context(COMPACT));
            }
        },
        /** Reads the last line also without a line end. */
        FINAL_CSV {
            @Override
            byte[] content(Random random) throws IOException {
                return CSV.content(random);
            }

            @Override
            Feed feed(Path file) {
                return defined(new CsvFeedFactory().define(file, check()))
                        .withFinalEnd()
                        .create(context(FIXED));
            }
        },
        PCAP {
            @Override
            byte[] content(Random random) {
                return CaptureInputs.requests(RECORDS, random);
            }

            @Override
            Feed feed(Path file) {
                return new PcapFeed(
                        file,
                        new PortFilter(1813, PortFilter.Side.DESTINATION),
                        new AccountingRequestFramer(null),
                        0,
                        BATCH_RECORDS);
            }
        };

        abstract byte[] content(Random random) throws IOException;

        abstract Feed feed(Path file);

        RecordBatch batch() {
            return new RecordBatch(
                    this == PCAP
                            ? new Schema("any", 0, List.of(), List.of())
                            : this == PREFIXED_FILE || this == JSON_LINES ? COMPACT : FIXED);
        }

        private static FeedContext context(Schema schema) {
            return new FeedContext(schema, BATCH_RECORDS, Split.WHOLE, _ -> {
                throw new AssertionError();
            });
        }

        private static FeedCheck check() {
            return new FeedCheck("text", new NoSettings(), (property, message) -> {
                throw new AssertionError(property + ": " + message);
            });
        }

        private static FeedDefinition defined(@Nullable FeedDefinition definition) {
            return Objects.requireNonNull(definition);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotIdentifyAFileThatWasOverwritten(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("a"), kind.content(new Random(1)));
        RecordBatch batch = kind.batch();
        try (Feed feed = kind.feed(file)) {
            feed.open(0);
            read(feed, batch, 30);
            String identity = feed.identity(batch.to());
            feed.verify(identity);

            Files.write(file, kind.content(new Random(2)));
            assertThatExceptionOfType(FeedChangedException.class)
                    .isThrownBy(() -> feed.identity(batch.to()))
                    .withMessageContaining(file + "' was overwritten while it was open: it ");
            assertThatExceptionOfType(FeedChangedException.class).isThrownBy(() -> feed.verify(identity));
        }
    }

    /** As rsync --inplace does with a file whose first part is the same. */
    @ParameterizedTest
    @EnumSource
    void shouldNotIdentifyAFileWhoseLastBytesWereOverwritten(Kind kind) throws IOException {
        byte[] content = kind.content(new Random(1));
        Path file = Files.write(folder.resolve("a"), content);
        RecordBatch batch = kind.batch();
        try (Feed feed = kind.feed(file)) {
            feed.open(0);
            read(feed, batch, 30);
            feed.identity(batch.to());

            byte[] other = kind.content(new Random(2));
            System.arraycopy(content, 0, other, 0, 2_000);
            Files.write(file, other);
            assertThatExceptionOfType(FeedChangedException.class)
                    .isThrownBy(() -> feed.identity(batch.to()))
                    .withMessageContaining(file + "' was overwritten while it was open: it continues with other bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotIdentifyAFileThatIsShorterThanWhatWasRead(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("a"), kind.content(new Random(1)));
        RecordBatch batch = kind.batch();
        try (Feed feed = kind.feed(file)) {
            feed.open(0);
            read(feed, batch, 30);
            truncate(file, 1_500);
            assertThatExceptionOfType(FeedChangedException.class)
                    .isThrownBy(() -> feed.identity(batch.to()))
                    .withMessageContaining(file + "' was truncated while it was open: it has 1500 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailAtTheEndOfAFileThatWasTruncated(Kind kind) throws IOException {
        long size = Files.size(Files.write(folder.resolve("a"), kind.content(new Random(1))));
        Path file = folder.resolve("a");
        for (long left : new long[] {size - 1, size / 2, 1_500, 0}) {
            Files.write(file, kind.content(new Random(1)));
            RecordBatch batch = kind.batch();
            try (Feed feed = kind.feed(file)) {
                feed.open(0);
                read(feed, batch, 3);
                truncate(file, left);
                assertThatExceptionOfType(FeedChangedException.class)
                        .as("%s bytes left", left)
                        .isThrownBy(() -> readToEnd(feed, batch))
                        .withMessageContaining(file + "' was truncated while it was open: it has " + left
                                + " bytes, but had " + size + ".");
            }
        }
    }

    /** A batch that fails is not part of a commit. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PCAP")
    void shouldIdentifyTheFileByTheBytesBeforeTheLastBatch(Kind kind) throws IOException {
        byte[] content = kind.content(new Random(1));
        Path file = Files.write(folder.resolve("a"), content);
        RecordBatch batch = kind.batch();
        try (Feed feed = kind.feed(file)) {
            feed.open(0);
            for (int i = 0; i < 500; i++) {
                long before = i == 0 ? 0 : batch.to();
                String identity = feed.identity(before);
                assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
                assertThat(feed.identity(before)).isEqualTo(identity);
                assertThat(feed.identity(batch.to())).contains(" at=" + batch.to() + " ");
                feed.verify(identity);
                feed.verify(feed.identity(batch.to()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldIdentifyTheSameFileAfterItWasOpenedAtAPosition(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("a"), kind.content(new Random(1)));
        RecordBatch batch = kind.batch();
        String identity = identityAfterSevenBatches(kind, file, batch);
        long position = batch.to();
        try (Feed feed = kind.feed(file)) {
            feed.verify(identity);
            feed.open(position);
            assertThat(feed.identity(position).replaceFirst(" at=.*", ""))
                    .isEqualTo(identity.replaceFirst(" at=.*", ""));
            readToEnd(feed, batch);
            feed.verify(feed.identity(batch.to()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotOpenAFileThatWasOverwrittenAfterItWasVerified(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("a"), kind.content(new Random(1)));
        RecordBatch batch = kind.batch();
        String identity = identityAfterSevenBatches(kind, file, batch);
        try (Feed feed = kind.feed(file)) {
            feed.verify(identity);
            Files.write(file, kind.content(new Random(2)));
            assertThatExceptionOfType(FeedChangedException.class).isThrownBy(() -> feed.open(batch.to()));
        }
    }

    /**
     * A file server reports a stale file if another one takes its place: the feed finds that one by its path. Captures
     * are opened at their first byte, and know only what was committed.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PCAP")
    void shouldNotContinueInAnotherFileThoughNothingWasCommitted(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("a"), kind.content(new Random(1)));
        RecordBatch batch = kind.batch();
        Feed feed = kind.feed(file);
        try {
            feed.open(0);
            feed.verify(feed.identity(0));
            read(feed, batch, 7);
            feed.close();
            Path other = Files.write(folder.resolve("b"), kind.content(new Random(2)));
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
            assertThatExceptionOfType(FeedChangedException.class)
                    .isThrownBy(() -> feed.open(batch.to()))
                    .withMessageContaining(file + "' was replaced after it was read: it begins with other bytes");

            Files.write(file, kind.content(new Random(1)));
            feed.open(batch.to());
            read(feed, batch, 7);
        } finally {
            feed.close();
        }
    }

    private static String identityAfterSevenBatches(Kind kind, Path file, RecordBatch batch) throws IOException {
        try (Feed feed = kind.feed(file)) {
            feed.open(0);
            read(feed, batch, 7);
            return feed.identity(batch.to());
        }
    }

    private static void read(Feed feed, RecordBatch batch, int batches) throws IOException {
        for (int i = 0; i < batches; i++) {
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
        }
    }

    private static void readToEnd(Feed feed, RecordBatch batch) throws IOException {
        while (feed.poll(batch, Duration.ZERO) != Poll.END) {
            feed.takePiece();
        }
    }

    private static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }
}
