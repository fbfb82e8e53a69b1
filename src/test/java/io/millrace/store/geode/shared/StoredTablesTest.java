package io.millrace.store.geode.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.store.error.CorruptDataException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.write.TableUse;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredTablesTest {

    private static final WriterName WRITER = WriterName.of("trades", 0);
    private static final Term TERM = new Term(WRITER, true, 1, 1, "token");
    private static final int BYTES = (2 << 20) + 17;

    private final LocalMap<byte[]> map = new LocalMap<>();
    private final StoredTables tables = new StoredTables(map, Long.MAX_VALUE, true);

    private static byte[] rows(long seed) {
        byte[] rows = new byte[BYTES];
        new Random(seed).nextBytes(rows);
        return rows;
    }

    private static byte[] read(TableVersions tables, String table, String version) {
        byte[] read = new byte[Math.toIntExact(tables.bytes(WRITER, table, version))];
        tables.read(WRITER, table, version, MemorySegment.ofArray(read));
        return read;
    }

    @Test
    void shouldReturnRowsAsTheyWereStored() {
        tables.put(TERM, "desks", "a1", MemorySegment.ofArray(rows(1)));
        tables.put(TERM, "desks", "a2", MemorySegment.ofArray(rows(2)));
        assertThat(read(tables, "desks", "a1")).isEqualTo(rows(1));
        assertThat(read(tables, "desks", "a2")).isEqualTo(rows(2));
        assertThat(tables.bytes(WRITER, "desks", "a3")).isEqualTo(-1);
        assertThat(tables.bytes(WriterName.of("other", 0), "desks", "a1")).isEqualTo(-1);
    }

    @Test
    void shouldReportRowsThatLackAPiece() {
        tables.put(TERM, "desks", "a1", MemorySegment.ofArray(rows(1)));
        map.values().remove("trades/0/rows/desks/a1/1");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> read(tables, "desks", "a1"))
                .withMessageContaining("table 'desks', version a1");
    }

    @Test
    void shouldRetainTheNamedVersionsOfTheWriter() {
        Term other = new Term(WriterName.of("other", 0), true, 2, 1, "token2");
        tables.put(TERM, "desks", "a1", MemorySegment.ofArray(rows(1)));
        tables.put(TERM, "desks", "a2", MemorySegment.ofArray(rows(2)));
        tables.put(TERM, "sites", "b1", MemorySegment.ofArray(rows(3)));
        tables.put(other, "desks", "a1", MemorySegment.ofArray(rows(1)));
        tables.add(TERM, "desks", new TableUse("a2", 39));
        map.values().remove("trades/0/rows/desks/a1"); // removed by a process that was killed then
        tables.retain(TERM, Map.of("desks", "a2"));
        assertThat(map.keys())
                .containsExactlyInAnyOrder(
                        "trades/0/rows/desks/a2",
                        "trades/0/rows/desks/a2/0",
                        "trades/0/rows/desks/a2/1",
                        "trades/0/rows/desks/a2/2",
                        "trades/0/uses/desks",
                        "other/0/rows/desks/a1",
                        "other/0/rows/desks/a1/0",
                        "other/0/rows/desks/a1/1",
                        "other/0/rows/desks/a1/2");
        tables.remove(TERM);
        assertThat(map.keys()).allMatch(key -> key.startsWith("other/"));
    }

    @Test
    void shouldReturnTheLastUses() {
        assertThat(tables.uses(WRITER, "desks")).isEmpty();
        for (int i = 0; i < 2 * TableVersions.MAX_USES; i++) {
            tables.add(TERM, "desks", new TableUse("v" + i, i));
        }
        assertThat(tables.uses(WRITER, "desks"))
                .hasSize(TableVersions.MAX_USES)
                .first()
                .isEqualTo(new TableUse("v" + TableVersions.MAX_USES, TableVersions.MAX_USES));
        assertThatExceptionOfType(CorruptDataException.class).isThrownBy(() -> TableUse.parse("v1 since=x"));
        assertThatExceptionOfType(CorruptDataException.class).isThrownBy(() -> TableUse.parse("v1"));
    }

    @Test
    void shouldReturnWhatEachInstanceHasLoaded() {
        tables.setLoaded(TERM, "desks", "one", "a1");
        tables.setLoaded(TERM, "desks", "two", "a2");
        assertThat(tables.loaded(WRITER, "desks", "one")).isEqualTo("a1");
        assertThat(tables.loaded(WRITER, "desks", "two")).isEqualTo("a2");
        assertThat(tables.loaded(WRITER, "desks", "three")).isNull();
    }

    @Test
    void shouldStoreRowsOnDisk(@TempDir Path folder) {
        GeodeOptions options = GeodeOptions.inFolder(folder);
        MemorySegment rows = MemorySegment.ofArray(new byte[24 << 20]);
        rows.set(ValueLayout.JAVA_BYTE, (20 << 20) + 3, (byte) 7);
        try (GeodeStore store = new GeodeStore(options)) {
            Term term = Objects.requireNonNull(store.claim(WRITER, true).term());
            assertThat(store.tableVersions(true).maxBytes()).isEqualTo(1L << 30);
            assertThat(store.tableVersions(true).shared()).isFalse();
            assertThat(store.tableVersions(false).maxBytes()).isZero();
            store.tableVersions(true).put(term, "desks", "a1", rows);
        }
        try (GeodeStore store = new GeodeStore(options)) {
            assertThat(read(store.tableVersions(true), "desks", "a1")).isEqualTo(rows.toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
