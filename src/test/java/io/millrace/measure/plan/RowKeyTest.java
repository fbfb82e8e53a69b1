package io.millrace.measure.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.GroupKeys;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every value of a field can be a key of a row, and none of them is taken for "no key". */
class RowKeyTest {

    static Stream<FieldType> types() {
        List<FieldType> types = new ArrayList<>();
        for (boolean signed : new boolean[] {true, false}) {
            for (int bytes : new int[] {1, 2, 4, 8}) {
                IntStorage storage = IntStorage.of(bytes, signed, ByteOrder.LITTLE_ENDIAN);
                types.add(new FieldType.IntegerType(storage));
                if (!storage.unsignedLong()) {
                    types.add(new FieldType.DecimalType(storage, 2));
                }
            }
        }
        types.add(new FieldType.DateType(IntStorage.of(2, false, ByteOrder.BIG_ENDIAN)));
        types.add(new FieldType.InstantType(IntStorage.of(4, false, ByteOrder.BIG_ENDIAN), TimeUnit.SECONDS));
        types.add(new FieldType.EnumType(
                IntStorage.of(1, false, ByteOrder.BIG_ENDIAN),
                Dictionary.of(IntStream.range(0, 256).mapToObj(i -> "n" + i).toArray(String[]::new))));
        types.add(new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN));
        types.add(new FieldType.StringType(4, StandardCharsets.US_ASCII, (byte) ' '));
        types.add(new FieldType.StringType(12, StandardCharsets.US_ASCII, (byte) 0));
        types.add(new FieldType.BytesType(3));
        types.add(new FieldType.IpType(4));
        types.add(new FieldType.IpType(16));
        return types.stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldHoldEveryValueAndNoneAtAll(FieldType type) {
        Schema schema = new Schema("keyed", type.bytes(), List.of(Field.of("key", type, 0)), List.of());
        GroupKey key = GroupKeys.of("key", schema, new ExpressionCompiler(schema));
        Schema rows = new Schema("rows", 0, List.of(), List.of())
                .extend(RowKey.field("key", key))
                .stored();
        RowKey rowKey = new RowKey(key, Objects.requireNonNull(rows.field("key")));
        FieldCodec stored = RecordCodec.of(schema).codec("key");
        FieldCodec written = RecordCodec.of(rows).codec("key");
        byte[] row = new byte[rows.recordLength()];
        for (byte[] record : extremes(type)) {
            long[][] columns = new long[key.longs()][1];
            key.fill(new RecordBatch(schema).fill(record, 0, 1, 0, record.length), columns, 0);
            long[] longs = Arrays.stream(columns).mapToLong(column -> column[0]).toArray();

            rowKey.putAbsent(row, 0);
            assertThat(written.value(row, 0)).isNull();
            rowKey.put(longs, 0, row, 0);
            assertThat(written.value(row, 0)).as(Arrays.toString(record)).isEqualTo(stored.value(record, 0));
            assertThat(written.value(row, 0)).isNotNull();
        }
    }

    /** The smallest and the largest bytes, all zero, and all padding. */
    private static List<byte[]> extremes(FieldType type) {
        List<byte[]> records = new ArrayList<>();
        byte[] fills = type instanceof FieldType.StringType ? new byte[] {' ', 'z'} : new byte[] {0, 1, 127, -1};
        for (byte fill : fills) {
            byte[] record = new byte[type.bytes()];
            Arrays.fill(record, fill);
            records.add(record);
            if (!(type instanceof FieldType.StringType) && !(type instanceof FieldType.FloatType)) {
                byte[] smallest = record.clone();
                smallest[0] = (byte) 0x80;
                records.add(smallest);
                byte[] smallestLittle = record.clone();
                smallestLittle[record.length - 1] = (byte) 0x80;
                records.add(smallestLittle);
            }
        }
        return records;
    }
}
