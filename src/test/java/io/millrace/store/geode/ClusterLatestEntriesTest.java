package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.query.Query;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two writers write entries in the order of a field to two servers, each of which has a copy of all of them. */
@Tag("long")
class ClusterLatestEntriesTest {

    private static final int KEYS = 500;

    @TempDir
    Path folder;

    @Test
    void shouldStoreTheLatestOfEachKeyInEachCopy() throws Exception {
        int port = FreePort.next();
        try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady();
                GeodeStore own = ForkedMember.join("one", "a", port)) {
            try (ForkedMember _ = ForkedMember.server("two", "b", port).awaitReady()) {
                await().untilAsserted(() -> assertThatCode(own::requireCopies).doesNotThrowAnyException());
                RegionWriter first = writer(own, 0);
                RegionWriter second = writer(own, 1);
                write(first, 2);
                write(second, 1);
                assertThat(days(own)).isEqualTo(all(2));
                write(second, 3);
                write(first, 2);
                write(first, 1);
                assertThat(days(own)).isEqualTo(all(3));
            }
            // Of half of the entries, the copy is left that was not written first.
            await().ignoreExceptions().untilAsserted(() -> assertThat(days(own)).isEqualTo(all(3)));
        }
    }

    private static RegionWriter writer(GeodeStore store, int partition) {
        WriterName name = WriterName.of("trades", partition);
        RegionWriter writer = store.writer(ForkedMember.LATEST, name, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        Term term = Objects.requireNonNull(store.claim(name, false).term());
        writer.open(term, 0);
        return writer;
    }

    /** Writes a record of each key with a day. */
    private static void write(RegionWriter writer, int day) {
        byte[] feed = Trades.feed(KEYS);
        for (int i = 0; i < KEYS; i++) {
            RawBytes.putShort(feed, i * Trades.LENGTH + 8, (short) day);
        }
        writer.append(
                new RecordBatch(Trades.SCHEMA).fill(feed, 0, KEYS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        writer.flush();
    }

    private static Map<Object, Long> days(GeodeStore store) {
        return store
                .query(ForkedMember.LATEST, new Query(null, List.of("id", "day"), List.of(), 10_000))
                .records()
                .stream()
                .collect(Collectors.toMap(
                        record -> Objects.requireNonNull(record.get("id")),
                        record -> ((LocalDate) Objects.requireNonNull(record.get("day"))).toEpochDay()));
    }

    private static Map<Object, Long> all(long day) {
        return LongStream.range(0, KEYS).boxed().collect(Collectors.toMap(id -> id, _ -> day));
    }
}
