package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RawBytes;
import io.millrace.hash.HostileKeys;
import io.millrace.hash.SeededHash;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.table.cache.CacheOptions;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LiveTableTest {

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    private static final Schema SCHEMA = new Schema(
            "pairs",
            24,
            List.of(
                    Field.of("id", new FieldType.IntegerType(I64), 0),
                    Field.of("value", new FieldType.IntegerType(I64), 8),
                    Field.of("check", new FieldType.IntegerType(I64), 16)),
            List.of());

    private final LiveTable table = new LiveTable("pairs", SCHEMA, "id", "a test");

    private static byte[] row(long id, long value) {
        byte[] row = new byte[24];
        RawBytes.putLong(row, 0, id);
        RawBytes.putLong(row, 8, value);
        RawBytes.putLong(row, 16, ~value);
        return row;
    }

    @Test
    void shouldHoldWhatAMapWould() {
        Map<Long, Long> expected = new HashMap<>();
        Random random = new Random(7);
        for (int i = 0; i < 300_000; i++) {
            long id = random.nextInt(80_000);
            if (random.nextInt(10) == 0) {
                table.remove(id);
                expected.remove(id);
            } else {
                table.put(row(id, i));
                expected.put(id, (long) i);
            }
        }
        assertThat(table.status().rows()).isEqualTo(expected.size());
        long[] keys = new long[80_000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = i;
        }
        TableReader reader = table.reader();
        long[] rows = new long[keys.length];
        assertThat(reader.find(keys, keys.length, rows)).isEqualTo(keys.length - expected.size());
        for (int i = 0; i < keys.length; i++) {
            Long value = expected.get((long) i);
            assertThat(rows[i] == reader.absentRow()).isEqualTo(value == null);
            if (value != null) {
                assertThat(RawMemory.getLong(reader.memory(), rows[i] + 8)).isEqualTo(value);
            }
        }
        Map<Long, Long> shown = new HashMap<>();
        table.forEach(row -> shown.put(RawBytes.getLong(row, 0), RawBytes.getLong(row, 8)) == null);
        assertThat(shown).isEqualTo(expected);
        AtomicInteger looks = new AtomicInteger();
        table.forEach(row -> looks.incrementAndGet() < 3);
        assertThat(looks).hasValue(3);
    }

    /** More than the 56 slots that entries of one hash have: each of them once doubled the memory, without end. */
    @Test
    void shouldNotGrowForKeysThatWereChosenToCollide() {
        long before = table.status().bytes();
        for (long i = 0; i < 100; i++) {
            table.put(row(HostileKeys.withKeyHash(i << Integer.SIZE), i));
        }
        assertThat(table.status().rows()).isEqualTo(100);
        assertThat(table.status().bytes()).isEqualTo(before);
    }

    @Test
    void shouldMoveToAnotherSeedWhereTheFirstIsKnown() {
        AtomicInteger seeds = new AtomicInteger();
        LiveTable known = new LiveTable("pairs", SCHEMA, "id", "a test", () -> SeededHash.of(seeds.incrementAndGet()));
        long before = known.status().bytes();
        for (long i = 0; i < 100; i++) {
            known.put(row(HostileKeys.withHash(1, i << Integer.SIZE), i));
        }
        assertThat(seeds).hasValue(2);
        assertThat(known.status().rows()).isEqualTo(100);
        assertThat(known.status().bytes()).isEqualTo(before);
    }

    /** Once, memory doubled without end for a row that no segment has room for. */
    @Test
    void shouldRefuseASchemaWhoseRowsAreTooLong() {
        Schema longest = longRows(CacheOptions.ENTRY_BYTES_MAX - CacheOptions.ENTRY_OVERHEAD_MAX);
        LiveTable longTable = new LiveTable("long", longest, "id", "a test");
        longTable.put(new byte[longest.recordLength()]);
        assertThat(longTable.status().rows()).isOne();

        Schema tooLong = longRows(longest.recordLength() + 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LiveTable("long", tooLong, "id", "a test"))
                .withMessageContaining("its rows take 1048577 bytes each, 1048576 is the most");
    }

    private static Schema longRows(int bytes) {
        return new Schema("long", bytes, List.of(Field.of("id", new FieldType.IntegerType(I64), 0)), List.of());
    }

    @Test
    void shouldNotGrowForRowsThatAreReplaced() {
        long before = table.status().bytes();
        for (long i = 0; i < 500_000; i++) {
            table.put(row(i % 1000, i));
        }
        assertThat(table.status().rows()).isEqualTo(1000);
        assertThat(table.status().bytes()).isEqualTo(before);
    }

    @Test
    void shouldBeReadWhileItGrows() throws InterruptedException {
        table.put(row(0, 0));
        AtomicBoolean done = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int round = 0; round < 30; round++) {
                for (int id = 0; id < 20_000; id++) {
                    table.put(row(id, round * 100_000L + id));
                }
            }
            done.set(true);
        });
        writer.start();
        TableReader reader = table.reader();
        long[] keys = new long[500];
        long[] rows = new long[500];
        Random random = new Random(3);
        long found = 0;
        while (!done.get() || found == 0) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = random.nextInt(20_000);
            }
            reader.find(keys, keys.length, rows);
            for (int i = 0; i < keys.length; i++) {
                if (rows[i] != reader.absentRow()) {
                    found++;
                    assertThat(RawMemory.getLong(reader.memory(), rows[i])).isEqualTo(keys[i]);
                    long value = RawMemory.getLong(reader.memory(), rows[i] + 8);
                    assertThat(value % 100_000).isEqualTo(keys[i]);
                    assertThat(RawMemory.getLong(reader.memory(), rows[i] + 16)).isEqualTo(~value);
                }
            }
        }
        writer.join();
        assertThat(table.status().rows()).isEqualTo(20_000);
    }
}
