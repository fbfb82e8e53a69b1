package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordCodec;
import io.millrace.memory.RawMemory;
import io.millrace.schema.FieldType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableLoaderTest {

    @TempDir
    Path folder;

    @Test
    void shouldFindRowsByTheirKey() throws IOException {
        PackedTable table = load("id,name,limit\n7,Paris,10.5\n-3,Łódź,\n");
        assertThat(table.rows()).isEqualTo(2);
        assertThat(row(table, table.find(7)))
                .containsEntry("name", "Paris")
                .containsEntry("limit", new BigDecimal("10.5"));
        assertThat(row(table, table.find(-3))).containsEntry("name", "Łódź").containsEntry("limit", null);
    }

    @Test
    void shouldShowARowOfAbsentFieldsForAKeyItDoesNotHold() throws IOException {
        PackedTable table = load("id,name,limit\n7,Paris,10.5\n");
        for (long key : new long[] {6, 8, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(table.find(key)).isEqualTo(table.absentRow());
        }
        assertThat(row(table, table.absentRow())).containsEntry("name", null).containsEntry("limit", null);
    }

    @Test
    void shouldFindKeysThatLieFarApart() throws IOException {
        PackedTable table = load("id,name\n1,a\n9000000000000,b\n-9000000000000,c\n");
        assertThat(row(table, table.find(9_000_000_000_000L))).containsEntry("name", "b");
        assertThat(row(table, table.find(-9_000_000_000_000L))).containsEntry("name", "c");
        assertThat(table.find(2)).isEqualTo(table.absentRow());
    }

    @Test
    void shouldTakeNumbersWithLeadingZerosForText() throws IOException {
        PackedTable table = load("id,code\n1,007\n2,12\n");
        assertThat(table.schema().field("code")).extracting("type").isInstanceOf(FieldType.StringType.class);
        assertThat(row(table, table.find(1))).containsEntry("code", "007");
    }

    @Test
    void shouldReportAllThatIsWrongWithItsLines() throws IOException {
        assertThatThrownBy(() -> load("id,name\n1,a\n2,b\n1,c\n2,d\n"))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 4: Duplicate key '1', first in line 2.")
                .hasMessageContaining("line 5: Duplicate key '2', first in line 3.");
        assertThatThrownBy(() -> load("ident,name\n1,a\n")).hasMessageContaining("Unknown key 'id'");
        assertThatThrownBy(() -> load("id,name\n1.5,a\n")).hasMessageContaining("Use a whole number");
        assertThatThrownBy(() -> load("")).hasMessageContaining("The table has no rows.");
        assertThatThrownBy(() -> load("id,name\n")).hasMessageContaining("The table has no rows.");
        assertThatThrownBy(() -> load("id,name\n1,a\n2\n3,c,d\n"))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 3: Invalid number of columns: 1. Write 2")
                .hasMessageContaining("line 4: Invalid number of columns: 3. Write 2");
        assertThatThrownBy(() -> load("id,name,name\n1,a,b\n"))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 1: Duplicate column 'name'.");
        Path latin =
                Files.write(folder.resolve("latin.csv"), "id,name\n1,\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> loadFile(latin.toString()))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 2: Invalid characters. Use UTF-8.");
        assertThatThrownBy(() -> load("id,name\n1,a\n2,\"b\n3,c\n4,\"d\"e\n"))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 3: Missing quote at the end of a value. Close it.")
                .hasMessageContaining("line 5: Invalid CSV. Write a value with quotes");
        assertThatThrownBy(() -> load("id;name\n1;a\n")).hasMessageContaining("line 1: Invalid separator of columns");
        assertThatThrownBy(() -> loadFile("nowhere.csv"))
                .hasMessageContaining("nowhere.csv")
                .hasMessageContaining("File not found");
    }

    @Test
    void shouldNameTheLinesOfJson() throws IOException {
        Path json = folder.resolve("desks.jsonl");
        Files.write(
                json,
                "{\"id\":1}\r\r\n{\"id\":2,\"name\":\"\u00e9\"}\r{\"id\"\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> loadFile(json.toString()))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 3: Invalid characters. Use UTF-8.")
                .hasMessageContaining("line 4: Invalid JSON.");
    }

    @Test
    void shouldReadAnyLineEnds() throws IOException {
        PackedTable table = load("\uFEFFid,name\r1,a\r\n\n2,\"b\rc\"\r3,d");
        assertThat(table.rows()).isEqualTo(3);
        assertThat(row(table, table.find(2))).containsEntry("name", "b\rc");
        Path json = folder.resolve("desks.jsonl");
        Files.writeString(json, "\uFEFF{\"id\":1,\"name\":\"a\"}\r{\"id\":2,\"name\":\"b\"}\r\n\n{\"id\":3}");
        assertThat(loadFile(json.toString()).rows()).isEqualTo(3);
    }

    private PackedTable load(String csv) throws IOException {
        Path file = folder.resolve("desks.csv");
        Files.writeString(file, csv);
        return loadFile(file.toString());
    }

    private static PackedTable loadFile(String file) {
        return TableLoader.load(new TableDefinition("desks", file, "id", null, null));
    }

    private static Map<String, @Nullable Object> row(PackedTable table, long row) {
        byte[] bytes = new byte[table.schema().recordLength()];
        RawMemory.copy(table.memory(), row, bytes, 0, bytes.length);
        return RecordCodec.of(table.schema()).decode(bytes, 0);
    }
}
