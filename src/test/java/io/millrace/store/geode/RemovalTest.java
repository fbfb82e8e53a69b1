package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Schema;
import io.millrace.store.Packets;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that live from their first record until one that removes them. */
class RemovalTest {

    private static final String REGION = "sessions";
    private static final Schema ROWS = Packets.SCHEMA.project(Set.of("nasIp", "sessionTime"));

    private final List<RejectReason> rejects = new ArrayList<>();

    @TempDir
    Path folder;

    private GeodeStore store;

    @BeforeEach
    void open() {
        store = new GeodeStore(GeodeOptions.inFolder(folder));
        store.open(definition("status == 'Stop'"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static RegionDefinition definition(String remove) {
        return new RegionDefinition(
                REGION, Layout.ENTRIES, 0, true, Packets.SCHEMA, List.of("nasIp", "sessionId"), remove, 1);
    }

    private RegionWriter writer() {
        return Writers.open(store, REGION, "calls", 0, ROWS, (_, _, reason) -> rejects.add(reason));
    }

    private static byte[] record(int status, String session) {
        return Packets.of(status, session).nas(1).bytes();
    }

    private List<Object> sessions() {
        return store.query(REGION, new Query(null, List.of("sessionId"), List.of(), 10_000)).records().stream()
                .map(record -> record.get("sessionId"))
                .sorted()
                .toList();
    }

    @Test
    void shouldKeepTheOrderOfABatch() {
        RegionWriter writer = writer();
        writer.append(Packets.batch(
                ROWS,
                0,
                record(Packets.START, "ended"),
                record(Packets.START, "open"),
                record(Packets.STOP, "ended"),
                record(Packets.STOP, "begun-again"),
                record(Packets.START, "begun-again"),
                record(Packets.STOP, "never-there"),
                record(Packets.INTERIM, "open")));
        assertThat(writer.counters().kept().get()).isZero();
        assertThat(writer.counters().pending().get()).isEqualTo(7);
        writer.flush();

        assertThat(sessions()).containsExactly("begun-again", "open");
        assertThat(writer.counters().kept().get()).isEqualTo(7);
        assertThat(writer.counters().pending().get()).isZero();
        assertThat(writer.counters().puts().get()).isEqualTo(2);
        writer.append(Packets.batch(ROWS, 7, record(Packets.STOP, "open")));
        writer.flush();
        assertThat(sessions()).containsExactly("begun-again");
        assertThat(store.get(REGION, "10.0.0.1|open")).isNull();
    }

    @Test
    void shouldEndWithTheSameEntriesWhereAFeedIsReplayed() {
        byte[][] feed = {
            record(Packets.START, "a"),
            record(Packets.START, "b"),
            record(Packets.STOP, "a"),
            record(Packets.START, "c")
        };
        RegionWriter writer = writer();
        writer.append(Packets.batch(ROWS, 0, feed));
        writer.advance(3);
        writer.flush();
        for (int time = 0; time < 2; time++) {
            store.close();
            open();
            RegionWriter again = writer();
            assertThat(again.covered()).isEqualTo(3);
            again.append(Packets.batch(ROWS, 0, feed));
            again.flush();
            assertThat(again.counters().alreadyStored().get()).isEqualTo(3);
            assertThat(again.counters().kept().get()).isEqualTo(4);

            assertThat(sessions()).containsExactly("b", "c");
        }
    }

    @Test
    void shouldRejectOnceWhatTheConditionHasNoResultFor() {
        store.close();
        store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("other")));
        store.open(definition("100 / (sessionTime ?: 1) > 60"));
        byte[][] records = new byte[3000][];
        for (int i = 0; i < records.length; i++) {
            records[i] = Packets.of(Packets.INTERIM, "s" + i).number(46, i % 3).bytes();
        }
        RecordBatch batch = Packets.batch(ROWS, 0, records);
        RegionWriter writer = writer();
        failing(3, () -> writer.append(batch));
        failing(2, writer::flush);

        assertThat(rejects).hasSize(1000).allSatisfy(reason -> {
            assertThat(reason.kind()).isEqualTo(RejectReason.Kind.EXPRESSION);
            assertThat(reason.detail()).contains("division by zero", "sessionTime=0");
        });
        assertThat(writer.counters().kept().get()).isEqualTo(2000);
        assertThat(batch.selected()).isEqualTo(3000);
        assertThat(sessions()).hasSize(1000).doesNotContain("s0", "s1").contains("s2");
    }

    /** Calls until it works, while each so manieth put fails. */
    private static void failing(int each, Runnable call) {
        int[] puts = {0};
        StoredBlocks.region(REGION).getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
            @Override
            public void beforeCreate(EntryEvent<Object, byte[]> event) {
                if (puts[0]++ == each * 100) {
                    throw new CacheWriterException("not now");
                }
            }
        });
        try {
            while (true) {
                try {
                    call.run();
                    return;
                } catch (StoreException e) {
                    assertThat(e).hasMessageContaining("not now");
                }
            }
        } finally {
            StoredBlocks.region(REGION).getAttributesMutator().setCacheWriter(null);
        }
    }

    @Test
    void shouldTryARemovalAgainThatFailed() {
        RegionWriter writer = writer();
        writer.append(Packets.batch(ROWS, 0, record(Packets.START, "a"), record(Packets.START, "b")));
        writer.flush();
        writer.append(Packets.batch(ROWS, 2, record(Packets.STOP, "a"), record(Packets.INTERIM, "b")));
        boolean[] failed = {false};
        StoredBlocks.region(REGION).getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
            @Override
            public void beforeDestroy(EntryEvent<Object, byte[]> event) {
                if (!failed[0]) {
                    failed[0] = true;
                    throw new CacheWriterException("not now");
                }
            }
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(writer::flush)
                .withMessageContaining("Failed removal of 1 entries in region 'sessions'")
                .withMessageContaining("not now");
        assertThat(writer.counters().kept().get()).isEqualTo(2);
        assertThat(sessions()).containsExactly("a", "b");
        writer.flush();

        assertThat(sessions()).containsExactly("b");
        assertThat(writer.counters().kept().get()).isEqualTo(4);
    }

    @Test
    void shouldRefuseAConditionThatItCannotAsk() {
        GeodeStore other = store;
        other.open(new RegionDefinition(
                "wrong", Layout.ENTRIES, 0, false, Packets.SCHEMA, List.of("sessionId"), "state == 'Stop'", 1));

        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> Writers.open(other, "wrong", "calls", 0, ROWS, (_, _, _) -> {}))
                .withMessageContaining("no field 'state'");
    }
}
