package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that writes to a region in memory while all servers restart: they know nothing of its term any more. */
@Tag("long")
class RestartedServersTest {

    private static final String REGION = ForkedMember.single(Layout.BLOCKS);
    private static final WriterName WRITER = WriterName.of("trades", 0);

    @TempDir
    Path folder;

    @Test
    void shouldClaimAgainAndWriteOn() throws Exception {
        int port = FreePort.next();
        try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady()) {
            ForkedMember first = ForkedMember.server("one", "a", port).awaitReady();
            try (GeodeStore client = new GeodeStore(GeodeOptions.client(ForkedMember.client(port)))) {
                client.openFound(REGION);
                RegionWriter writer = client.writer(REGION, WRITER, Trades.SCHEMA, (_, _, reason) -> {
                    throw new AssertionError(reason.toString());
                });
                writer.open(claim(client), 0);
                write(writer, 0, 10);

                first.leave(); // killed, it would take the locator's quorum with it
                try (ForkedMember _ = ForkedMember.server("two", "a", port).awaitReady()) {
                    assertThatThrownBy(() -> writeUntilAnswered(writer)).matches(StoreReopenedException::isCauseOf);

                    writer.open(claim(client), 0);
                    write(writer, 10, 20);
                    assertThat(client.info(REGION).records()).isEqualTo(10);
                }
            } finally {
                first.close();
            }
        }
    }

    private static Term claim(GeodeStore client) {
        return Objects.requireNonNull(client.claim(WRITER, false).term());
    }

    /** As a feed without positions does. */
    private static void write(RegionWriter writer, int from, int to) {
        byte[] feed = Trades.feed(to);
        RecordBatch batch = new RecordBatch(Trades.SCHEMA)
                .fill(feed, from * Trades.LENGTH, to - from, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        writer.append(batch);
        writer.flush();
    }

    /** Retries as a pipeline does, until a server has answered. */
    private static void writeUntilAnswered(RegionWriter writer) {
        write(writer, 10, 11);
        await().ignoreExceptionsMatching(RestartedServersTest::isRetried).until(() -> {
            writer.flush();
            return true;
        });
    }

    private static boolean isRetried(Throwable failure) {
        return failure instanceof StoreException && !StoreReopenedException.isCauseOf(failure);
    }
}
