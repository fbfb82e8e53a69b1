package io.millrace.store.scan;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import io.millrace.store.CompactBatches;
import io.millrace.store.Packets;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForm;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same records in every form in which records are stored: fixed, compact and tagged, each in blocks of rows, blocks
 * of columns, and entries. Field {@code n} is the number of a record.
 */
final class ExtremeStores {

    private static final int BLOCK = 20;

    /** Types that all layouts have: how the compact layout writes them, and what the others need in addition. */
    private static final List<List<String>> TYPES = List.of(
            List.of("u8", ""),
            List.of("i16", ""),
            List.of("u32", ""),
            List.of("i32", ""),
            List.of("i64", ""),
            List.of("u64", ""),
            List.of("decimal, scale: 2", ", as: i64"),
            List.of("date", ", as: i32"),
            List.of("instant, unit: ms", ", as: i64"),
            List.of("enum, values: [b, a, c]", ", as: u8"),
            List.of("boolean", ", as: u8"),
            List.of("f32", ""),
            List.of("f64", ""),
            List.of("string, length: 3, charset: utf8", ""),
            List.of("string, length: 12, charset: utf8", ""),
            List.of("bytes, length: 3", ""),
            List.of("ipv4", ""),
            List.of("ipv6", ""));

    /** The records' fields as the fixed layout stores them, most of them optional. */
    final Schema schema;

    private final List<Stored> stored = new ArrayList<>();

    /** Records in one form. */
    private record Stored(RegionDefinition region, List<byte[]> values) {}

    /** A field, and whether a number or padding stands for absent in the fixed layout. */
    private record Type(String name, List<String> type, boolean optional, boolean nullFlag) {}

    ExtremeStores(Random random, Function<Schema, List<Map<String, @Nullable Object>>> sample) {
        List<Type> types = IntStream.range(0, 3 + random.nextInt(5))
                .mapToObj(i -> new Type(
                        "f" + i, TYPES.get(random.nextInt(TYPES.size())), random.nextInt(6) > 0, random.nextBoolean()))
                .toList();
        schema = fixed(types);
        List<Map<String, @Nullable Object>> records = sample.apply(schema);
        List<byte[]> rows = rows(schema, records);
        Schema compact = compact(types);
        Schema tagged = tagged(types);
        List<Field> fields = List.copyOf(schema.fields());
        String key = fields.get(random.nextInt(fields.size())).name();
        RecordBatch batch = new RecordBatch(schema).fill(join(rows), 0, rows.size(), 0, 0);
        add(batch, key);
        add(CompactBatches.batch(compact, compact(compact, records)), key);
        List<byte[]> packets = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            packets.add(packet(rows.get(i), records.get(i)));
        }
        add(Packets.batch(tagged, 0, packets.toArray(byte[][]::new)), key);
    }

    private static Schema read(String text) {
        return SchemaReader.read("extremes.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Schema fixed(List<Type> types) {
        StringBuilder text = new StringBuilder("schema: extremes\nfields:\n  - { name: n, type: u32 }\n");
        types.forEach(type -> text.append("  - { name: ")
                .append(type.name)
                .append(", type: ")
                .append(String.join("", type.type))
                .append(type.optional ? ", optional: true" : "")
                .append(type.optional && type.nullFlag ? ", absent: flag" : "")
                .append(" }\n"));
        return read(text.toString());
    }

    private static Schema compact(List<Type> types) {
        StringBuilder text =
                new StringBuilder("schema: extremes\nlayout: compact\nfields:\n  - { name: n, type: u32 }\n");
        types.forEach(type -> text.append("  - { name: ")
                .append(type.name)
                .append(", type: ")
                .append(type.type.getFirst())
                .append(type.optional ? ", optional: true" : "")
                .append(" }\n"));
        return read(text.toString());
    }

    private static Schema tagged(List<Type> types) {
        StringBuilder text = new StringBuilder(
                "schema: extremes\nlayout: tagged\nheader: 0\nelements: { tag: 1, length: 1, counts: all }\nfields:\n"
                        + "  - { name: n, type: u32, tag: 100, required: true }\n");
        for (int i = 0; i < types.size(); i++) {
            Type type = types.get(i);
            text.append("  - { name: ")
                    .append(type.name)
                    .append(", type: ")
                    .append(String.join("", type.type))
                    .append(", tag: ")
                    .append(i)
                    .append(type.optional ? "" : ", required: true")
                    .append(" }\n");
        }
        return read(text.toString());
    }

    private static List<byte[]> rows(Schema schema, List<Map<String, @Nullable Object>> records) {
        List<byte[]> rows = new ArrayList<>();
        for (Map<String, @Nullable Object> record : records) {
            rows.add(write(schema, new byte[schema.recordLength()], record));
        }
        return rows;
    }

    private static byte[] write(Schema schema, byte[] row, Map<String, @Nullable Object> record) {
        RecordCodec codec = RecordCodec.of(schema);
        schema.fields().forEach(field -> codec.codec(field.name()).setValue(row, 0, record.get(field.name())));
        return row;
    }

    private static List<byte[]> compact(Schema schema, List<Map<String, @Nullable Object>> records) {
        CompactEncoder encoder = new CompactEncoder(schema);
        List<byte[]> encoded = new ArrayList<>();
        for (Map<String, @Nullable Object> record : records) {
            encoder.clear();
            encoder.encode(write(schema, encoder.blank(), record), 0, List.<ChildRows>of(), 0);
            encoded.add(encoder.toBytes());
        }
        return encoded;
    }

    /** An element for each field that is there, with the bytes that it has in a row. */
    private byte[] packet(byte[] row, Map<String, @Nullable Object> record) {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        for (Field field : schema.fields()) {
            if (record.get(field.name()) == null) {
                continue;
            }
            byte[] value = Arrays.copyOfRange(row, field.offset(), field.nullFlagAt());
            if (field.type() instanceof FieldType.StringType) {
                value = String.valueOf(record.get(field.name())).getBytes(StandardCharsets.UTF_8);
            }
            packet.write(
                    field.name().equals("n")
                            ? 100
                            : Integer.parseInt(field.name().substring(1)));
            packet.write(2 + value.length);
            packet.writeBytes(value);
        }
        return packet.toByteArray();
    }

    private static byte[] join(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private void add(RecordBatch batch, String key) {
        Schema records = batch.schema();
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region = CompactBatches.region(records, BLOCK, encoding, key);
            stored.add(new Stored(region, CompactBatches.blocks(region, batch)));
        }
        RegionDefinition entries = new RegionDefinition(
                "r", Layout.ENTRIES, 0, false, records, List.of("n"), null, BLOCK, BlockEncoding.ROWS);
        StoredForm form = StoredForm.of(records);
        stored.add(new Stored(
                entries,
                IntStream.range(0, batch.selected())
                        .mapToObj(i -> form.copy(batch, i))
                        .toList()));
    }

    /** The answers of all stores, by a name of the store. */
    Map<String, QueryResult> answers(Query query) {
        Map<String, QueryResult> answers = new LinkedHashMap<>();
        for (Stored each : stored) {
            RegionDefinition region = each.region;
            String name = region.schema().layout().name() + " "
                    + (region.layout() == Layout.ENTRIES ? "entries" : region.encoding());
            answers.put(name, answer(each, query));
        }
        return answers;
    }

    private static QueryResult answer(Stored each, Query query) {
        QueryScan scan = QueryScan.of(each.region, query, FunctionRegistry.empty());
        scan.begin(query.limit(), Integer.MAX_VALUE);
        BlockChecks checks = new BlockChecks();
        for (int i = 0; i < each.values.size(); i++) {
            if (each.region.layout() == Layout.ENTRIES) {
                scan.entry(each.values.get(i));
            } else {
                scan.block(i, each.values.get(i), checks);
            }
        }
        scan.flush();
        return Answers.of(scan, query.withOnError(OnError.SKIP), scan.part());
    }
}
