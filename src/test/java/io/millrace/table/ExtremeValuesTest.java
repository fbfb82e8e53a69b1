package io.millrace.table;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordCodec;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Every value of every type comes out of a table as it went in, and what was absent comes out absent. */
class ExtremeValuesTest {

    private static final Schema SCHEMA = ExtremeRecords.SCHEMA;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 1L << 40})
    void shouldKeepExtremeValuesOfBuiltTables(long step) throws IOException {
        for (Path file : new Path[] {null, folder.resolve("built.table")}) {
            TableBuilder builder = new TableBuilder("t", "a test", SCHEMA, "id", file);
            List<byte[]> records = ExtremeRecords.all(step);
            for (byte[] record : records) {
                builder.add(1, record);
            }
            PackedTable table = builder.build(0);
            assertThat(table.form()).isEqualTo(step == 1 ? "direct" : "hashed");
            requireAll(records, table);
            if (file != null) {
                requireAll(records, PackedTable.open("t", file));
                assertThat(table.damaged()).isZero();
            }
        }
    }

    @Test
    void shouldKeepExtremeValuesOfRecords() throws IOException {
        for (Path mapped : new Path[] {null, folder.resolve("kept.table")}) {
            List<byte[]> records = ExtremeRecords.all(1);
            Path file = binary(records);
            TableDefinition definition = new TableDefinition("t", file.toString(), "id", SCHEMA, mapped);
            requireAll(records, TableLoader.load(definition));
            requireAll(records, TableLoader.load(definition));
            ServedTable served = ServedTable.load(definition);
            served.reload();
            requireAll(records, served.served());
        }
    }

    private Path binary(List<byte[]> records) throws IOException {
        Path file = folder.resolve("extremes.bin");
        try (var out = Files.newOutputStream(file)) {
            for (byte[] record : records) {
                out.write(record);
            }
        }
        return file;
    }

    @Test
    void shouldKeepExtremeValuesOfLiveTables() {
        LiveTable table = new LiveTable("t", SCHEMA, "id", "a test");
        List<byte[]> records = ExtremeRecords.all(1L << 50);
        records.forEach(table::put);
        requireAll(records, table.schema(), table.reader());
    }

    @Test
    void shouldKeepExtremeValuesOfCsv() throws IOException {
        List<byte[]> records = ExtremeRecords.all(1);
        String titles = String.join(",", SCHEMA.names());
        String lines = records.stream().map(ExtremeValuesTest::csv).collect(joining("\n"));
        requireText(records, "extremes.csv", titles + "\n" + lines + "\n", true);
    }

    private static String csv(byte[] record) {
        Map<String, String> texts = ExtremeRecords.texts(record);
        return SCHEMA.names().stream()
                .map(name -> '"' + texts.getOrDefault(name, "") + '"')
                .collect(joining(","));
    }

    @Test
    void shouldKeepExtremeValuesOfJsonLines() throws IOException {
        List<byte[]> records = ExtremeRecords.all(1);
        String lines = records.stream()
                .map(record -> JsonMapper.shared().writeValueAsString(ExtremeRecords.texts(record)))
                .collect(joining("\n"));
        requireText(records, "extremes.jsonl", lines, false);
    }

    private void requireText(List<byte[]> records, String name, String text, boolean emptyIsAbsent) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        PackedTable table = TableLoader.load(new TableDefinition("t", file.toString(), "id", SCHEMA, null));
        for (byte[] record : records) {
            Map<String, @Nullable Object> expected = ExtremeRecords.values(record);
            if (emptyIsAbsent) {
                expected.replaceAll((_, value) -> "".equals(value) ? null : value);
            }
            assertThat(row(table, table.find(ExtremeRecords.id(record)))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"absent.csv", "absent.jsonl"})
    void shouldDistinguishAbsentFromEveryValueInTextFiles(String name) throws IOException {
        boolean csv = name.endsWith("csv");
        String text = csv
                ? String.join(",", SCHEMA.names()) + "\n5"
                        + ",".repeat(SCHEMA.names().size() - 1) + "\n"
                : SCHEMA.names().stream()
                        .map(field -> "\"" + field + "\": " + (field.equals("id") ? "5" : "null"))
                        .collect(joining(", ", "{", "}"));
        Path file = Files.writeString(folder.resolve(name), text);
        for (Path mapped : new Path[] {null, folder.resolve(name + ".table")}) {
            PackedTable table = TableLoader.load(new TableDefinition("t", file.toString(), "id", SCHEMA, mapped));
            Map<String, @Nullable Object> row = row(table, table.find(5));
            assertThat(row).containsEntry("id", 5L);
            row.remove("id");
            assertThat(row.values()).containsOnlyNulls().hasSize(SCHEMA.names().size() - 1);
        }
    }

    @Test
    void shouldDistinguishAnEmptyTextFromNoneInJsonLines() throws IOException {
        Path file = Files.writeString(
                folder.resolve("t.jsonl"),
                "{\"id\":1,\"name\":\"\",\"code\":-1}\n{\"id\":2,\"name\":null}\n{\"id\":3,\"name\":\"x\",\"code\":0}",
                StandardCharsets.UTF_8);
        PackedTable table = TableLoader.load(new TableDefinition("t", file.toString(), "id", null, null));
        assertThat(row(table, table.find(1))).containsEntry("name", "").containsEntry("code", -1L);
        assertThat(row(table, table.find(2))).containsEntry("name", null).containsEntry("code", null);
        assertThat(row(table, table.find(3))).containsEntry("name", "x").containsEntry("code", 0L);
    }

    @Test
    void shouldKeepTheAbsentValuesThatASchemaNames() throws IOException {
        List<Field> fields = SCHEMA.fields().stream()
                .map(field -> field.type() instanceof FieldType.IntegerType
                                && !field.name().equals("id")
                        ? field.asOptional(0)
                        : field)
                .toList();
        Schema schema = new Schema("extremes", SCHEMA.recordLength(), fields, List.of());
        List<byte[]> records = ExtremeRecords.all(1);
        PackedTable packed =
                TableLoader.load(new TableDefinition("t", binary(records).toString(), "id", schema, null));
        LiveTable live = new LiveTable("t", schema, "id", "a test");
        records.forEach(live::put);
        RecordCodec codec = RecordCodec.of(schema);
        for (byte[] record : records) {
            Map<String, @Nullable Object> expected = ExtremeRecords.values(codec, record);
            assertThat(row(packed, packed.find(ExtremeRecords.id(record)))).isEqualTo(expected);
            assertThat(row(live, ExtremeRecords.id(record))).isEqualTo(expected);
        }
    }

    private static void requireAll(List<byte[]> records, PackedTable table) {
        requireAll(records, table.schema(), new PackedTableReader(() -> table));
        Map<Object, Map<String, @Nullable Object>> shown = new HashMap<>();
        RecordCodec codec = RecordCodec.of(table.schema());
        table.forEach(row -> shown.put(ExtremeRecords.id(row), ExtremeRecords.values(codec, row)) == null);
        assertThat(shown).hasSize(records.size());
        records.forEach(
                record -> assertThat(shown.get(ExtremeRecords.id(record))).isEqualTo(ExtremeRecords.values(record)));
    }

    private static void requireAll(List<byte[]> records, Schema schema, TableReader reader) {
        long[] keys = records.stream().mapToLong(ExtremeRecords::id).toArray();
        long[] rows = new long[keys.length];
        assertThat(reader.find(keys, keys.length, rows)).isZero();
        for (int i = 0; i < keys.length; i++) {
            assertThat(row(schema, reader, rows[i])).isEqualTo(ExtremeRecords.values(records.get(i)));
        }
    }

    private static Map<String, @Nullable Object> row(LiveTable table, long id) {
        TableReader reader = table.reader();
        long[] rows = new long[1];
        reader.find(new long[] {id}, 1, rows);
        return row(table.schema(), reader, rows[0]);
    }

    private static Map<String, @Nullable Object> row(Schema schema, TableReader reader, long at) {
        byte[] row = new byte[schema.recordLength()];
        RawMemory.copy(reader.memory(), at, row, 0, row.length);
        return ExtremeRecords.values(RecordCodec.of(schema), row);
    }

    private static Map<String, @Nullable Object> row(PackedTable table, long at) {
        return row(table.schema(), new PackedTableReader(() -> table), at);
    }
}
