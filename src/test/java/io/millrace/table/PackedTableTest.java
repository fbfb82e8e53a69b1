package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RawBytes;
import io.millrace.hash.HostileKeys;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedTableTest {

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    private static final Schema NUMBERED = new Schema(
            "numbered",
            16,
            List.of(
                    Field.of("id", new FieldType.IntegerType(I64), 0),
                    Field.of("value", new FieldType.IntegerType(I64), 8)),
            List.of());
    private static final Schema NAMED = new Schema(
            "named",
            19,
            List.of(
                    Field.of("name", new FieldType.StringType(11, StandardCharsets.UTF_8, (byte) 0), 0),
                    Field.of("value", new FieldType.IntegerType(I64), 11)),
            List.of());
    private static final Map<String, Integer> FORMS = new TreeMap<>();

    @TempDir
    Path folder;

    @AfterContainer
    static void shouldHaveMetBothForms() {
        assertThat(FORMS.getOrDefault("direct", 0)).isGreaterThan(20);
        assertThat(FORMS.getOrDefault("hashed", 0)).isGreaterThan(20);
    }

    @Property(tries = 200, seed = "20261121")
    void shouldFindEachRowAndNoOther(
            @ForAll long seed, @ForAll("spreads") long spread, @ForAll("counts") int count, @ForAll boolean mapped)
            throws IOException {
        Random random = new Random(seed);
        long base = random.nextBoolean() ? random.nextLong() : random.nextInt();
        Map<Long, Long> rows = new HashMap<>();
        while (rows.size() < count) {
            rows.put(base + random.nextLong(Math.max(spread, count)), random.nextLong() | 1);
        }
        Path file = mapped ? Files.createTempFile("packed", ".table") : null;
        PackedTable table = numbered(rows, file);
        FORMS.merge(table.form(), 1, Integer::sum);
        assertThat(table.rows()).isEqualTo(count);
        rows.forEach((key, value) -> {
            long row = table.find(key);
            assertThat(RawMemory.getLong(table.memory(), row)).isEqualTo(key);
            assertThat(RawMemory.getLong(table.memory(), row + 8)).isEqualTo(value);
        });
        for (long key = base - 3; key < base + 2L * count; key++) {
            assertThat(table.find(key) != table.absentRow()).as("key %d", key).isEqualTo(rows.containsKey(key));
        }
        for (long key : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
            assertThat(table.find(key) != table.absentRow()).isEqualTo(rows.containsKey(key));
        }
        Map<Long, Long> shown = new HashMap<>();
        table.forEach(row -> shown.put(RawBytes.getLong(row, 0), RawBytes.getLong(row, 8)) == null);
        assertThat(shown).isEqualTo(rows);
        AtomicInteger looks = new AtomicInteger();
        table.forEach(row -> looks.incrementAndGet() < 3);
        assertThat(looks).hasValue(Math.min(3, count));
        if (file != null) {
            assertThat(table.damaged()).isZero();
            Files.delete(file);
        }
    }

    @Provide
    Arbitrary<Long> spreads() {
        return Arbitraries.of(1L, 100L, 1_000L, 1L << 40, Long.MAX_VALUE);
    }

    @Provide
    Arbitrary<Integer> counts() {
        return Arbitraries.of(1, 2, 3, 63, 64, 65, 500, 3000);
    }

    private static PackedTable numbered(Map<Long, Long> rows, @Nullable Path file) throws IOException {
        TableBuilder builder = new TableBuilder("numbered", "nowhere", NUMBERED, "id", file);
        byte[] row = new byte[16];
        long line = 1;
        for (Map.Entry<Long, Long> entry : rows.entrySet()) {
            RawBytes.putLong(row, 0, entry.getKey());
            RawBytes.putLong(row, 8, entry.getValue());
            builder.add(line++, row);
        }
        return builder.build(5);
    }

    @Property(tries = 50, seed = "20261121")
    void shouldFindRowsByTexts(@ForAll long seed, @ForAll("counts") int count) throws IOException {
        Random random = new Random(seed);
        Map<String, Long> rows = new HashMap<>();
        while (rows.size() < count) {
            rows.put(Integer.toString(random.nextInt(5 * count), 36) + (random.nextBoolean() ? "é" : ""), (long)
                    rows.size());
        }
        TableBuilder builder = new TableBuilder("named", "nowhere", NAMED, "name", null);
        for (Map.Entry<String, Long> entry : rows.entrySet()) {
            byte[] row = Arrays.copyOf(entry.getKey().getBytes(StandardCharsets.UTF_8), 19);
            RawBytes.putLong(row, 11, entry.getValue());
            builder.add(1, row);
        }
        PackedTable table = builder.build(0);
        rows.forEach((name, value) -> assertThat(RawMemory.getLong(table.memory(), table.find(name) + 11))
                .isEqualTo(value));
        for (int i = 0; i < 5 * count; i++) {
            String name = Integer.toString(i, 36);
            assertThat(table.find(name) != table.absentRow()).isEqualTo(rows.containsKey(name));
        }
        assertThat(table.find("")).isEqualTo(table.absentRow());
    }

    /** Each lookup in such a bucket would pass all of its rows. */
    @Test
    void shouldRefuseKeysThatWereChosenToCollide() throws IOException {
        Map<Long, Long> rows = new HashMap<>();
        for (long i = 0; i < 64; i++) {
            rows.put(HostileKeys.withKeyHash(i), i);
        }
        for (long i = 8; i <= 1000; i++) {
            rows.put(HostileKeys.withKeyHash(i << 54), i);
        }
        PackedTable table = numbered(rows, null);
        assertThat(RawMemory.getLong(table.memory(), table.find(HostileKeys.withKeyHash(7)) + 8))
                .isEqualTo(7);

        rows.put(HostileKeys.withKeyHash(64), 64L);
        assertThatThrownBy(() -> numbered(rows, null))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("Too many keys with similar hashes: 65. At most 64");
    }

    @Test
    void shouldReportAFileThatIsNoWholeTable() throws IOException {
        Path file = folder.resolve("t.table");
        numbered(Map.of(1L, 2L, 1L << 40, 3L), file);
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 5, 100, 127, 128, 300, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> PackedTable.open("t", file))
                    .as("cut to %d", length)
                    .isInstanceOf(TableException.class);
        }
        for (int at = 0; at < 200; at += 3) {
            byte[] wrong = whole.clone();
            wrong[at] ^= 0x10;
            Files.write(file, wrong);
            assertThatThrownBy(() -> PackedTable.open("t", file))
                    .as("byte %d wrong", at)
                    .isInstanceOf(TableException.class);
        }
        Files.write(file, whole);
        assertThat(PackedTable.open("t", file).damaged()).isZero();
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            long at = PackedTable.open("t", file).find(1L << 40) + 8;
            raw.seek(at);
            raw.writeLong(4);
        }
        assertThat(PackedTable.open("t", file).damaged()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldRefuseFilesOfOtherVersions(int version) throws IOException {
        Path file = folder.resolve("t.table");
        numbered(Map.of(1L, 2L), file);
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(8);
            raw.writeInt(version);
        }
        assertThatThrownBy(() -> PackedTable.open("t", file))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("Unsupported table format: version " + version)
                .hasMessageContaining("Build the table again.");
    }

    @Test
    void shouldServeOnWhatIsMappedWhileAnotherTakesItsPlace() throws IOException {
        Path file = folder.resolve("t.table");
        PackedTable old = numbered(Map.of(1L, 2L), file);
        PackedTable other = numbered(Map.of(1L, 3L), file);
        assertThat(RawMemory.getLong(old.memory(), old.find(1) + 8)).isEqualTo(2);
        assertThat(RawMemory.getLong(other.memory(), other.find(1) + 8)).isEqualTo(3);
        assertThat(folder).isDirectoryContaining(file::equals);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
