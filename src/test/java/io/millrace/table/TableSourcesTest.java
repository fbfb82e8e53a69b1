package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordCodec;
import io.millrace.memory.RawMemory;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSourcesTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");

    @TempDir
    Path folder;

    @Test
    void shouldLoadJsonLines() throws IOException {
        PackedTable table = load(
                "desks.jsonl",
                "{\"id\": 7, \"name\": \"Paris\", \"limit\": 10.5}\n\n{\"name\": \"Ł\\u00f3dź\", \"id\": -3, \"open\": true}\n",
                "id",
                null);
        assertThat(row(table, table.find(7)))
                .containsEntry("name", "Paris")
                .containsEntry("limit", new BigDecimal("10.5"))
                .containsEntry("open", null);
        assertThat(row(table, table.find(-3)))
                .containsEntry("name", "Łódź")
                .containsEntry("limit", null)
                .containsEntry("open", "true");
    }

    @Test
    void shouldReportAllThatIsWrongWithJsonLines() {
        assertThatThrownBy(() -> load("bad.jsonl", "{\"id\":1}\n[2]\n{\"id\":3,\"x\":{}}\n{\"id\":\n", "id", null))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 2: Invalid row: not a JSON object.")
                .hasMessageContaining("line 3: Invalid value of 'x': an object or an array.")
                .hasMessageContaining("line 4: Invalid JSON.");
        assertThatThrownBy(() -> load("twice.jsonl", "{\"id\":1,\"id\":2}\n", "id", null))
                .hasMessageContaining("line 1: Invalid JSON.");
    }

    /** The bytes of an absent key are a number like others, which must not find the row. */
    @Test
    void shouldRefuseRowsWithoutAKey() throws IOException {
        Schema schema = SchemaReader.read("optional.yml", """
                schema: optional
                fields: [ { name: id, type: u8, optional: true }, { name: name, type: string, length: 1 } ]
                """.getBytes(StandardCharsets.UTF_8));
        Path file = Files.write(folder.resolve("optional.bin"), new byte[] {7, 'a', -1, 'b', 8, 'c'});

        assertThatThrownBy(() -> TableLoader.load(new TableDefinition("t", file.toString(), "id", schema, null)))
                .hasMessageContaining("line 2: Missing value of the key 'id'. Every row needs one.");
        assertThatThrownBy(() -> load("optional.csv", "id,name\n7,a\n,b\n", "id", schema))
                .hasMessageContaining("line 3: Missing value of the key 'id'. Every row needs one.");
    }

    @Test
    void shouldLoadRecords() throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(500, 3));
        PackedTable table = TableLoader.load(new TableDefinition("trades", file.toString(), "id", TRADE, null));
        assertThat(table.rows()).isEqualTo(500);
        TradeFile.random(500, 3)
                .forEach(trade -> assertThat(row(table, table.find(trade.id())))
                        .containsEntry("exchangeRate", trade.rate())
                        .containsEntry("amount1", BigDecimal.valueOf(trade.cents1(), 2)));
    }

    @Test
    void shouldBuildAMappedTableOfTheFirstVersionAgain() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,limit\n1,255\n");
        Path mapped = folder.resolve("desks.table");
        TableDefinition definition = new TableDefinition("desks", file.toString(), "id", null, mapped);
        TableLoader.load(definition);
        try (RandomAccessFile raw = new RandomAccessFile(mapped.toFile(), "rw")) {
            raw.seek(8);
            raw.writeInt(1);
        }
        PackedTable table = TableLoader.load(definition);
        assertThat(row(table, table.find(1))).containsEntry("limit", 255L);
        assertThat(row(PackedTable.open("desks", mapped), table.find(1))).containsEntry("limit", 255L);
    }

    @Test
    void shouldTakeTablesThatWereBuiltFromRecordsOrText() throws IOException {
        Path records = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(5, 3));
        Path text = Files.writeString(folder.resolve("trades.csv"), String.join(",", TRADE.names()) + "\n1,,,,,,,,\n");
        for (Path source : new Path[] {records, text}) {
            Path built = folder.resolve(source.getFileName() + ".table");
            TableLoader.load(new TableDefinition("t", source.toString(), "id", TRADE, built));
            ServedTable served = ServedTable.load(new TableDefinition("t", built.toString(), "id", TRADE, null));
            served.reload();
            assertThat(served.served().rows()).isEqualTo(source.equals(records) ? 5 : 1);
        }
        Path wrong = folder.resolve("desks.table");
        Path desks = Files.writeString(folder.resolve("desks.csv"), "id\n1\n");
        TableLoader.load(new TableDefinition("t", desks.toString(), "id", null, wrong));
        assertThatThrownBy(() -> TableLoader.load(new TableDefinition("t", wrong.toString(), "id", TRADE, null)))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("Invalid schema '");
    }

    @Test
    void shouldReportWhatIsWrongWithRecords() throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(3, 3));
        byte[] bytes = Files.readAllBytes(file);
        bytes[TradeFile.LENGTH + 11] = 99;
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> TableLoader.load(new TableDefinition("t", file.toString(), "id", TRADE, null)))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 2: ")
                .hasMessageContaining("currency1")
                .hasMessageContaining("line 3: Truncated record: 38 of 39 bytes.");
        assertThatThrownBy(() -> TableLoader.load(new TableDefinition("t", file.toString(), "id", null, null)))
                .hasMessageContaining("Set 'schema' to their schema.");
    }

    @Test
    void shouldOpenAMappedTableWithoutItsSourceUntilThatChanges() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,a\n");
        Path mapped = folder.resolve("kept").resolve("desks.table");
        TableDefinition definition = new TableDefinition("desks", file.toString(), "id", null, mapped);
        TableLoader.load(definition);
        FileTime time = Files.getLastModifiedTime(file);

        Files.writeString(file, "not read, 12");
        Files.setLastModifiedTime(file, time);
        assertThat(row(
                        TableLoader.load(definition),
                        TableLoader.load(definition).find(1)))
                .containsEntry("name", "a");

        Files.writeString(file, "id,name\n1,b\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(time.toMillis() + 5));
        PackedTable changed = TableLoader.load(definition);
        assertThat(row(changed, changed.find(1))).containsEntry("name", "b");

        byte[] whole = Files.readAllBytes(mapped);
        Files.write(mapped, Arrays.copyOf(whole, whole.length / 2));
        PackedTable rebuilt = TableLoader.load(definition);
        assertThat(row(rebuilt, rebuilt.find(1))).containsEntry("name", "b");
        assertThat(Files.readAllBytes(mapped)).isEqualTo(whole);
    }

    @Test
    void shouldOpenATableThatWasBuiltBefore() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,a\n");
        Path built = folder.resolve("desks.table");
        TableLoader.load(new TableDefinition("desks", file.toString(), "id", null, built));
        PackedTable table = TableLoader.load(new TableDefinition("desks", built.toString(), "id", null, null));
        assertThat(row(table, table.find(1))).containsEntry("name", "a");
        assertThatThrownBy(() -> TableLoader.load(new TableDefinition("desks", built.toString(), "name", null, null)))
                .hasMessageContaining("Invalid key 'name'. The table was built with the key 'id'.");
        assertThatThrownBy(() -> TableLoader.load(new TableDefinition("desks", built.toString(), "id", TRADE, null)))
                .hasMessageContaining("Invalid schema '");
    }

    @Test
    void shouldServeOldRowsUntilNewOnesAreGood() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,a\n2,bb\n");
        ServedTable table = ServedTable.load(new TableDefinition("desks", file.toString(), "id", null, null));
        TableReader reader = table.reader();
        long[] rows = new long[2];
        assertThat(reader.find(new long[] {1, 3}, 2, rows)).isEqualTo(1);
        assertThat(rows[1]).isEqualTo(reader.absentRow());

        Files.writeString(file, "id,name\n1,c\n3,dd\n");
        table.reload();
        assertThat(name(reader, rows[0])).as("until the next look-up").isEqualTo("a");
        assertThat(reader.find(new long[] {1, 3}, 2, rows)).isZero();
        assertThat(name(reader, rows[0])).isEqualTo("c");
        assertThat(table.status().loads()).isEqualTo(2);

        Files.writeString(file, "id,name\n1,too long\n1,c\n");
        assertThatThrownBy(table::reload)
                .isInstanceOf(TableException.class)
                .hasMessageContaining("line 2: ")
                .hasMessageContaining("too long");
        assertThat(reader.find(new long[] {1, 3}, 2, rows)).isZero();
        assertThat(name(reader, rows[1])).isEqualTo("dd");
        assertThat(table.status().failures()).isEqualTo(1);
        assertThat(table.status().error()).contains("line 2: ");

        assertThat(table.reloadIfChanged()).isFalse();
        Files.delete(file);
        assertThatThrownBy(table::reloadIfChanged).hasMessageContaining("File not found");
        Files.writeString(file, "id,name\n4,e\n");
        assertThat(table.reloadIfChanged()).isTrue();
        assertThat(table.status().error()).isNull();
        assertThat(reader.find(new long[] {1, 4}, 2, rows)).isEqualTo(1);
    }

    private static String name(TableReader reader, long row) {
        byte[] bytes = new byte[2];
        RawMemory.copy(reader.memory(), row + 8, bytes, 0, 2);
        return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
    }

    private PackedTable load(String name, String content, String key, @Nullable Schema schema) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        return TableLoader.load(new TableDefinition("desks", file.toString(), key, schema, null));
    }

    private static Map<String, @Nullable Object> row(PackedTable table, long row) {
        byte[] bytes = new byte[table.schema().recordLength()];
        RawMemory.copy(table.memory(), row, bytes, 0, bytes.length);
        return RecordCodec.of(table.schema()).decode(bytes, 0);
    }
}
