package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordCodec;
import io.millrace.memory.OffHeap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a table's rows. */
class PinnedTableTest {

    @TempDir
    Path folder;

    private ServedTable table(String rows, boolean mapped) throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), rows);
        return ServedTable.load(new TableDefinition(
                "desks", file.toString(), "id", null, mapped ? folder.resolve("desks.table") : null));
    }

    private String version(String rows, boolean mapped) throws IOException {
        return table(rows, mapped).served().version();
    }

    @Test
    void shouldHaveOneVersionForEqualRowsWhereverTheyAre() throws IOException {
        String rows = "id,side\n1,5\n2,6\n3,7\n";
        String version = version(rows, false);
        assertThat(version).matches("[0-9a-f]{16}");
        assertThat(version(rows, true)).isEqualTo(version); // built
        assertThat(version(rows, true)).isEqualTo(version); // opened
        assertThat(version("id,side\n1,5\n2,6\n3,8\n", false)).isNotEqualTo(version);
        assertThat(version("id,side\n1,5\n2,7\n3,6\n", false)).isNotEqualTo(version);
        assertThat(version("id,side\n1,5\n2,6\n3,7\n4,8\n", false)).isNotEqualTo(version);
        assertThat(version("id,desk\n1,5\n2,6\n3,7\n", false)).isNotEqualTo(version);
    }

    @Test
    void shouldRestoreRowsFromTheirBytes() throws IOException {
        PackedTable table = table("id,name\n1,a\n7000000,b\n", false).served();
        MemorySegment bytes = OffHeap.allocate(table.bytes());
        bytes.copyFrom(table.memory());
        PackedTable restored = PackedTable.restore("desks", "a copy", bytes);
        assertThat(restored.version()).isEqualTo(table.version());
        assertThat(restored.find(7_000_000)).isEqualTo(table.find(7_000_000)).isNotEqualTo(restored.absentRow());

        long at = table.find(1);
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (bytes.get(ValueLayout.JAVA_BYTE, at) ^ 1));
        assertThatExceptionOfType(TableException.class)
                .isThrownBy(() -> PackedTable.restore("desks", "a copy", bytes))
                .withMessageContaining("Corrupt rows: invalid checksum.");
        assertThatExceptionOfType(TableException.class)
                .isThrownBy(() -> PackedTable.restore("desks", "a copy", bytes.asSlice(0, bytes.byteSize() - 1)));
    }

    @Test
    void shouldReadThePinnedRowsAlthoughTheFileIsReloaded() throws IOException {
        ServedTable table = table("id,side\n1,5\n", false);
        PinnedTable pinned = new PinnedTable(table);
        TableReader reader = pinned.reader();
        long[] rows = new long[1];
        table("id,side\n1,5\n2,6\n", false);
        table.reload();
        assertThat(reader.find(new long[] {2}, 1, rows)).isOne();
        pinned.pin(pinned.served());
        assertThat(reader.find(new long[] {2}, 1, rows)).isZero();
    }

    @Test
    void shouldConvertRowsOfAnEarlierSchema() throws IOException {
        PackedTable earlier = table("id,side,gone\n1,5,x\n2,,y\n", false).served();
        ServedTable table = table("name,side,id\nlong,50,1\nlonger,60,2\n", false);
        PackedTable converted = Objects.requireNonNull(new PinnedTable(table).converted(earlier, List.of("side")));
        assertThat(converted.schema().fingerprint()).isEqualTo(table.schema().fingerprint());
        assertThat(converted.rows()).isEqualTo(2);
        assertThat(text(converted, 1)).isEqualTo("null 5");
        assertThat(text(converted, 2)).isEqualTo("null null");

        // The field is missing, or has another type.
        assertThat(new PinnedTable(table).converted(earlier, List.of("gone"))).isNull();
        assertThat(new PinnedTable(table("id,side\n1,text\n", false)).converted(earlier, List.of("side")))
                .isNull();
        assertThat(new PinnedTable(table("id,side\nabc,5\n", false)).converted(earlier, List.of("side")))
                .isNull();
        // Equal schemas need no conversion.
        PinnedTable same = new PinnedTable(table("id,side,gone\n1,6,z\n", false));
        assertThat(same.converted(earlier, List.of("side"))).isSameAs(earlier);
    }

    private static String text(PackedTable table, long key) {
        byte[] row = table.memory()
                .asSlice(table.find(key), table.schema().recordLength())
                .toArray(ValueLayout.JAVA_BYTE);
        RecordCodec codec = RecordCodec.of(table.schema());
        return codec.codec("name").value(row, 0) + " " + codec.codec("side").value(row, 0);
    }
}
