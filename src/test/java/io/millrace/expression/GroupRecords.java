package io.millrace.expression;

import io.millrace.codec.Admission;
import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records with groups from maps and lists, in bytes of the compact layout. */
final class GroupRecords {

    /** Values of each type; groups that are optional, nested and repeated; bare repeated values. */
    static final Schema ORDERS = SchemaReader.read("order.yml", """
            schema: order
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: limit, type: decimal, scale: 2, optional: true }
              - { name: currency, type: enum, values: [EUR, GBP, USD] }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 10, charset: utf8, optional: true }
                  - { name: rank, type: i32 }
                  - { name: address, type: group, fields: [ { name: city, type: string, length: 8 } ] }
                  - { name: marks, type: i16, repeat: many }
                  - name: lines
                    type: group
                    repeat: many
                    fields: [ { name: amount, type: decimal, scale: 2, optional: true } ]
              - { name: tags, type: string, length: 5, charset: utf8, repeat: many }
              - { name: sizes, type: i32, repeat: many }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: decimal, scale: 2 }
                  - { name: bonus, type: decimal, scale: 3, optional: true }
                  - { name: quantity, type: i64 }
                  - { name: rate, type: f64 }
                  - { name: currency, type: enum, values: [EUR, GBP, USD] }
                  - { name: name, type: string, length: 6, charset: latin1, optional: true }
                  - { name: open, type: boolean }
                  - { name: day, type: date }
                  - { name: at, type: instant, unit: ms, optional: true }
                  - name: party
                    type: group
                    optional: true
                    fields: [ { name: name, type: string, length: 10, charset: utf8 }, { name: rank, type: i32 } ]
                  - { name: codes, type: i16, repeat: 5 }
                  - name: fees
                    type: group
                    repeat: many
                    fields:
                      - { name: amount, type: decimal, scale: 2 }
                      - { name: kind, type: enum, values: [TAX, DUTY] }
              - { name: total, virtual: '#sum(legs.![amount])' }
            """.getBytes(StandardCharsets.UTF_8));

    private final Schema schema;
    private final List<Map<String, ?>> records = new ArrayList<>();

    GroupRecords(Schema schema) {
        this.schema = schema;
    }

    GroupRecords add(Map<String, ?> record) {
        records.add(record);
        return this;
    }

    /** A batch of all records, whose rows are written. */
    RecordBatch batch() {
        return batch(CompactFinder.admission(schema));
    }

    /** A batch of all records, whose elements are found when they are read. */
    RecordBatch batchWithDeferredElements() {
        return batch(LayoutCodecs.of(schema).deferringFinder());
    }

    private RecordBatch batch(Admission finder) {
        CompactEncoder encoder = new CompactEncoder(schema.base());
        int[] bounds = new int[records.size() + 1];
        for (int i = 0; i < records.size(); i++) {
            byte[] row = encoder.blank();
            List<ChildRows> children = schema.base().groups().stream()
                    .map(group -> new ChildRows(group.rowLength()))
                    .toList();
            new Row(schema.base(), children).fill(row, 0, "", records.get(i), 0);
            encoder.encode(row, 0, children, 0);
            bounds[i + 1] = encoder.length();
        }
        RecordBatch batch =
                new RecordBatch(schema).fill(encoder.toBytes(), bounds, records.size(), RecordBatch.NO_POSITION);
        finder.admit(batch, GroupRecords::fail);
        return batch;
    }

    private static void fail(RecordBatch batch, int ordinal, RejectReason reason) {
        throw new AssertionError(reason);
    }

    private record Row(Schema schema, List<ChildRows> children) {

        void fill(byte[] row, int at, String prefix, Map<?, ?> values, int parent) {
            values.forEach((name, value) -> fill(row, at, prefix + name, value, parent));
        }

        private void fill(byte[] row, int at, String path, @Nullable Object value, int parent) {
            switch (value) {
                case List<?> list -> list(path + "[]", list, parent);
                case Map<?, ?> group -> {
                    Field presence = field(path + "?");
                    if (presence != null) {
                        row[at + presence.offset()] = 1;
                    }
                    fill(row, at, path + ".", group, parent);
                }
                case null -> {
                    // Blank rows have absent values.
                }
                default -> {
                    Field field = Objects.requireNonNull(field(path), path);
                    Records.write(row, at + field.offset(), field, value);
                }
            }
        }

        private @Nullable Field field(String path) {
            Field single = schema.field(path);
            return single != null
                    ? single
                    : schema.groups().stream()
                            .map(group -> group.field(path))
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null);
        }

        private void list(String path, List<?> list, int parent) {
            int index =
                    schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(path);
            RepeatedGroup group = schema.groups().get(index);
            ChildRows rows = children.get(index);
            rows.begin(parent);
            byte[] blank = new byte[group.rowLength()];
            group.fields().stream().filter(Field::nullFlag).forEach(field -> blank[field.nullFlagAt()] = 1);
            for (Object item : list) {
                int element = rows.add(parent, blank);
                int at = element * group.rowLength();
                if (item instanceof Map<?, ?> values) {
                    fill(rows.rows(), at, path + ".", values, element);
                } else {
                    fill(rows.rows(), at, path, item, element);
                }
            }
        }
    }
}
