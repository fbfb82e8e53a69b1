package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A data folder one of whose files was truncated. */
class TruncatedFilesTest {

    private static final byte[] FEED = Trades.feed(1000);
    private static final AggregateQuery TOTALS = new AggregateQuery(null, List.of(), List.of("count()", "sum(id)"), 10);

    @TempDir
    Path folder;

    @BeforeEach
    void fill() {
        try (EmbeddedStore store = open()) {
            for (Layout layout : Layout.values()) {
                RegionWriter writer = Writers.open(store, layout.tag(), "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
                    throw new AssertionError(reason.toString());
                });
                writer.append(Trades.batch(FEED, 0, 1000));
                writer.flush();
            }
        }
    }

    private EmbeddedStore open() {
        EmbeddedStore store = new EmbeddedStore(GeodeOptions.inFolder(folder), FunctionRegistry.empty());
        try {
            for (Layout layout : Layout.values()) {
                store.open(new RegionDefinition(layout.tag(), layout, 0, true, Trades.SCHEMA, List.of("id"), 100));
            }
            store.start();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private Path file(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static byte[] cut(Path file, long length) throws IOException {
        byte[] before = Files.readAllBytes(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
        return before;
    }

    private static void requireComplete(EmbeddedStore store) {
        for (Layout layout : Layout.values()) {
            assertThat(store.aggregate(layout.tag(), TOTALS).groups()).hasToString("[{count()=1000, sum(id)=499500}]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".crf", ".drf", ".krf", ".if"})
    void shouldNameTheFileAtEachStartUntilItIsRestored(String ending) throws IOException {
        Path file = file(ending);
        long length = Files.size(file);
        byte[] before = cut(file, length * 2 / 3);
        for (int start = 0; start < 2; start++) {
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("Disk file '" + file + "' is truncated: it has " + length * 2 / 3
                            + " bytes, and had " + length)
                    .withMessageContaining("Restore the data folder from a copy");
        }
        Files.write(file, before);
        try (EmbeddedStore store = open()) {
            requireComplete(store);
        }
    }

    @Test
    void shouldNameAFileThatIsMissing() throws IOException {
        Path file = file(".krf");
        Files.delete(file);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(this::open)
                .withMessageContaining("Disk file '" + file + "' is missing");
    }

    @Test
    void shouldRefuseAListThatIsInvalid() throws IOException {
        Path list = file("millrace.files");
        Files.writeString(list, "12 a\nBACKUP");
        Files.writeString(folder.resolve("a"), "at least twelve");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(this::open)
                .withMessageContaining("Invalid line 'BACKUP' of file '" + list + "'");
    }

    @Test
    void shouldOpenAfterACrash() throws IOException {
        Files.delete(file("millrace.files"));
        try (EmbeddedStore store = open()) {
            requireComplete(store);
            assertThat(folder.resolve("millrace.files")).doesNotExist();
        }
        assertThat(folder.resolve("millrace.files")).exists();
    }

    /** As after a crash, when files are not checked at the start. */
    @Test
    void shouldFailEachCallAndStayClosedIfAValueIsBehindTheEndOfItsFile() throws IOException {
        Files.delete(file("millrace.files"));
        var _ = cut(file(".crf"), 2000);
        try (EmbeddedStore store = open()) {
            for (Layout layout : Layout.values()) {
                assertThatExceptionOfType(CorruptDataException.class)
                        .isThrownBy(() -> store.aggregate(layout.tag(), TOTALS))
                        .withMessageContaining("a disk file is truncated: it has 2000 bytes")
                        .withMessageContaining("Restore the data folder from a copy");
            }
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> store.claim(WriterName.of("trades", 0), true))
                    .withMessageContaining("a disk file is truncated: it has 2000 bytes");
            await().untilAsserted(() -> assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> store.get("entries", "1"))
                    .withMessageContaining("The disk of folder '" + folder + "' has failed: a disk file is truncated")
                    .withMessageContaining("The store is closed. Restore the data folder from a copy"));
        }
    }

    /** As after a crash in the middle of a write, because the disk was full or lost power. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldRemoveARecordThatWasWrittenInPart(int missing) throws IOException {
        Files.delete(file("millrace.files"));
        Path file = file(".if");
        long length = Files.size(file);
        var _ = cut(file, end(file) - missing);
        try (RandomAccessFile zeros = new RandomAccessFile(file.toFile(), "rw")) {
            zeros.setLength(length);
        }
        for (int start = 0; start < 2; start++) {
            try (EmbeddedStore store = open()) {
                requireComplete(store);
            }
        }
    }

    @Test
    void shouldNameAFileOfRecordsWithoutItsFirstPage() throws IOException {
        Files.delete(file("millrace.files"));
        Path file = file(".if");
        byte[] records = Files.readAllBytes(file);
        assertThat(end(file)).isGreaterThan(4096);
        Arrays.fill(records, 0, 4096, (byte) 0);
        Files.write(file, records);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(this::open)
                .withMessageContaining("Disk file '" + file + "' is corrupt: the record at byte 0 is invalid.");
    }

    private static int end(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }
}
