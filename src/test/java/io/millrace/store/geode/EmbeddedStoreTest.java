package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.internal.cache.GemFireCacheImpl;
import org.apache.geode.internal.cache.TombstoneService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose Geode closes as it does when its disk fails. */
@SuppressWarnings("NullAway.Init") // made before each test
class EmbeddedStoreTest {

    private static final byte[] FEED = Trades.feed(300);
    private static final WriterName SHARED = WriterName.of("file", 0);
    private static final RejectReason REASON = new RejectReason(RejectReason.Kind.EXPRESSION, "division by zero");
    private static final WriterName OWN = new WriterName("tcp", "host-1", 0, null);

    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = open(0);
    }

    private EmbeddedStore open(long reserve) {
        EmbeddedStore opened =
                new EmbeddedStore(GeodeOptions.inFolder(folder).withDiskReserve(reserve), FunctionRegistry.empty());
        opened.open(region("disk", true));
        opened.open(region("memory", false));
        opened.open(Rejects.region("rejects", true));
        opened.start();
        return opened;
    }

    private static RegionDefinition region(String name, boolean persistent) {
        return new RegionDefinition(name, Layout.BLOCKS, 0, persistent, Trades.SCHEMA, List.of("id"), 16);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Term claim(WriterName name, boolean persistent) {
        return Objects.requireNonNull(store.claim(name, persistent).term());
    }

    private RegionWriter writer(String region, WriterName name) {
        return store.writer(region, name, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static void write(RegionWriter writer, int first, int end) {
        writer.append(Trades.batch(FEED, first, end));
        writer.advance((long) end * Trades.LENGTH);
        writer.flush();
    }

    private static RecordBatch withoutPositions(int first, int end) {
        return new RecordBatch(Trades.SCHEMA)
                .fill(FEED, first * Trades.LENGTH, end - first, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    /** Returns once the store is open again. */
    private void failDisk() {
        GeodeStore before = store.current();
        ((GemFireCacheImpl) CacheFactory.getAnyInstance()).close("disk", new IOException("No space left on device"));
        await().ignoreException(StoreException.class).until(() -> store.current() != before);
    }

    /** Geode reads the system properties once: they have to be set before it is loaded. */
    @Test
    void shouldForgetRemovedKeysAfterTwoMinutes() {
        assertThat(TombstoneService.REPLICATE_TOMBSTONE_TIMEOUT).isEqualTo(120_000);
        assertThat(TombstoneService.EXPIRED_TOMBSTONE_LIMIT).isEqualTo(1000);
    }

    @Test
    void shouldHaveWhatIsOnDiskOnceItIsOpenAgain() {
        RegionWriter disk = writer("disk", SHARED);
        RegionWriter memory = writer("memory", SHARED);
        Term term = claim(SHARED, true);
        disk.open(term, 0);
        memory.open(term, 0);
        write(disk, 0, 100);
        write(memory, 0, 100);

        failDisk();

        store.requireAvailable();
        assertThat(store.info("disk").records()).isEqualTo(100);
        assertThat(store.info("memory").records()).isZero();
    }

    @Test
    void shouldEndTheTermsOfFeedsThatAreReadAgain() {
        RegionWriter disk = writer("disk", SHARED);
        Term term = claim(SHARED, true);
        disk.open(term, 0);
        write(disk, 0, 100);

        failDisk();

        assertThatExceptionOfType(SupersededException.class)
                .isThrownBy(() -> write(disk, 100, 200))
                .matches(StoreReopenedException::isCauseOf);
        assertThatExceptionOfType(StoreReopenedException.class).isThrownBy(() -> store.requireTerm(term));
        assertThatExceptionOfType(StoreReopenedException.class)
                .isThrownBy(() -> store.commits(false).put(term, new Commit(1, "", 1, 0, "", false, 1, Map.of())));
        store.release(term);
        disk.open(claim(SHARED, true), 0);
        assertThat(disk.covered()).isEqualTo(100L * Trades.LENGTH);
        write(disk, 100, 200);
        assertThat(store.info("disk").records()).isEqualTo(200);
    }

    @Test
    void shouldLetWritersOfOtherFeedsGoOnUnderNumbersOfTheirOwn() {
        RegionWriter own = writer("memory", OWN);
        own.open(claim(OWN, false), 0);
        own.append(withoutPositions(0, 10));

        failDisk();

        RegionWriter shared = writer("memory", SHARED);
        shared.open(claim(SHARED, false), 0);
        write(shared, 100, 150);
        own.append(withoutPositions(10, 20));
        own.flush();
        assertThat(store.info("memory").records()).isEqualTo(70);
    }

    @Test
    void shouldStoreRejectsAndCommitsOnceItIsOpenAgain() {
        RegionWriter writer = store.writer("rejects", SHARED, RejectBatch.RECORDS, (_, _, _) -> {});
        RejectBatch rejects = new RejectBatch();
        writer.open(claim(SHARED, true), 0);
        rejects.add(Trades.batch(FEED, 0, 10), 4, REASON);
        writer.append(rejects.take(10 * Trades.LENGTH));
        writer.flush();
        failDisk();

        Term term = claim(SHARED, true);
        writer.open(term, 0);
        rejects.add(Trades.batch(FEED, 10, 20), 0, REASON);
        writer.append(rejects.take(20 * Trades.LENGTH));
        writer.flush();
        store.commits(true).put(term, new Commit(7, "", 1, 0, "", false, 7, Map.of()));
        assertThat(Objects.requireNonNull(store.commits(true).get(SHARED)).position())
                .isEqualTo(7);
        assertThat(Rejects.of(store, "rejects"))
                .extracting(Reject::position)
                .containsExactly(4L * Trades.LENGTH, 10L * Trades.LENGTH);
    }

    @Test
    void shouldKnowWhatIsOpenWhileItIsClosed() {
        ((GemFireCacheImpl) CacheFactory.getAnyInstance()).close("disk", new IOException("No space left on device"));
        assertThat(store.regions()).containsExactly("disk", "memory", "rejects");
        assertThat(store.definition("disk").persistent()).isTrue();
    }

    @Test
    void shouldRefuseWritesToAFullDiskAndTakeThoseToMemory() throws IOException {
        store.close();
        store = open(Files.getFileStore(folder).getTotalSpace() + 1);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(store::requireAvailable)
                .withMessageMatching("The disk of folder '.*' is full: \\d+ MB are free, millrace.data-reserve is \\d+"
                        + " MB. Free some space: writing continues by itself. \\[full-disk]");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.claim(SHARED, true))
                .withMessageContaining("is full");
        RegionWriter memory = writer("memory", OWN);
        memory.open(claim(OWN, false), 0);
        memory.append(withoutPositions(0, 100));
        memory.flush();
        assertThat(store.info("memory").records()).isEqualTo(100);
        assertThat(store.info("disk").records()).isZero();
    }
}
