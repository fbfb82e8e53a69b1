package io.millrace.store.geode;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Regions of a cluster with two versions of their schema, and what their records are. */
final class EvolvingRegions {

    /** Few, because each bucket is copied after a server has started. */
    static final int BUCKETS = 3;

    static final String ROWS = "rows";
    static final String COLUMNS = "columns";
    static final String ENTRIES = "entries";
    static final String ON_DISK = "on-disk";
    static final List<String> ALL = List.of(ROWS, COLUMNS, ENTRIES, ON_DISK);

    private static final String FIRST = """
            schema: reading
            fields:
              - { name: id,    type: u32 }
              - { name: kind,  type: enum, values: [Power, Gas] }
              - { name: value, type: u16 }
              - { name: note,  type: string, length: 6 }
            """;

    private static final String SECOND = FIRST.replace("Gas]", "Gas, Heat]")
                    .replace("name: value, type: u16", "name: reading, was: value, type: u32")
                    .replace("length: 6", "length: 9")
            + "  - { name: zone, type: u8, optional: true, absent: flag }\n";

    private static final List<Schema> SCHEMAS = Stream.of(FIRST, SECOND)
            .map(fields -> SchemaReader.read("reading.yml", fields.getBytes(StandardCharsets.UTF_8)))
            .toList();

    private EvolvingRegions() {}

    static Schema schema(int version) {
        return SCHEMAS.get(version - 1);
    }

    static List<RegionDefinition> definitions(int version) {
        Schema schema = schema(version);
        return List.of(
                region(ROWS, Layout.BLOCKS, false, schema, BlockEncoding.ROWS),
                region(COLUMNS, Layout.BLOCKS, false, schema, BlockEncoding.COLUMNS),
                region(ENTRIES, Layout.ENTRIES, false, schema, BlockEncoding.ROWS),
                region(ON_DISK, Layout.BLOCKS, true, schema, BlockEncoding.ROWS));
    }

    private static RegionDefinition region(
            String name, Layout layout, boolean persistent, Schema schema, BlockEncoding encoding) {
        return new RegionDefinition(name, layout, 1, persistent, schema, List.of("id"), null, 8, encoding);
    }

    /** Returns the record of an id, as it is written with a version. */
    static Map<String, @Nullable Object> written(int version, long id) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("id", id);
        record.put("kind", List.of("Power", "Gas", "Heat").get((int) (id % (version == 1 ? 2 : 3))));
        if (version == 1) {
            record.put("value", 65535 - id);
            record.put("note", "note" + id % 10);
        } else {
            record.put("reading", 4294967295L - id);
            record.put("note", "longer-" + id % 10);
            record.put("zone", id % 2 == 0 ? null : (Object) (id % 256));
        }
        return record;
    }

    /** Returns a record that was written with a version, as the second version reads it. */
    static Map<String, @Nullable Object> read(int version, long id) {
        Map<String, @Nullable Object> record = written(version, id);
        if (version == 1) {
            record.put("reading", record.remove("value"));
            record.put("zone", null);
        }
        return record;
    }
}
