package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memory.OffHeap;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of four gigabytes and more, in a file of which only some pages are written. */
@Tag("long")
class LargeTableIT {

    private static final long ROWS = 140_000_000;
    private static final int ROW_LENGTH = 32;
    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);

    @TempDir
    Path folder;

    @Test
    void shouldOpenFourGigabytesAndFindRowsBehindThem() throws IOException {
        Path file = folder.resolve("large.table");
        Schema schema = new Schema(
                "large",
                ROW_LENGTH,
                List.of(
                        Field.of("id", new FieldType.IntegerType(I64), 0),
                        Field.of("value", new FieldType.IntegerType(I64), 8)),
                List.of());
        TableHeader header = new TableHeader(
                TableForm.DIRECT,
                schema.fingerprint(),
                ROWS,
                ROWS,
                1_000_000_007,
                0,
                ROW_LENGTH,
                0,
                "id\n" + SchemaText.write(schema));
        MemorySegment memory = OffHeap.create(file, header.length());
        header.write(memory);
        long[] slots = {0, 1, 67_108_863, 67_108_864, 134_217_727, 134_217_728, ROWS - 1};
        for (long slot : slots) {
            RawMemory.putLong(memory, header.rowsAt() + (slot + 1) * ROW_LENGTH, 1_000_000_007 + slot);
            RawMemory.putLong(memory, header.rowsAt() + (slot + 1) * ROW_LENGTH + 8, ~slot);
        }
        header.complete(memory);

        assertThat(Files.size(file)).isGreaterThan(4L << 30);
        long start = System.nanoTime();
        PackedTable table = PackedTable.open("large", file);
        System.out.println("opened " + table.bytes() + " bytes in " + (System.nanoTime() - start) / 1000 + " us");
        assertThat(table.rows()).isEqualTo(ROWS);
        for (long slot : slots) {
            long row = table.find(1_000_000_007 + slot);
            assertThat(RawMemory.getLong(table.memory(), row)).isEqualTo(1_000_000_007 + slot);
            assertThat(RawMemory.getLong(table.memory(), row + 8)).isEqualTo(~slot);
        }
        assertThat(table.find(1_000_000_006)).isEqualTo(table.absentRow());
        assertThat(table.find(1_000_000_007 + ROWS)).isEqualTo(table.absentRow());
        assertThat(table.damaged()).isZero();
    }
}
