package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BatchFieldTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final FieldType INT = new FieldType.IntegerType(IntStorage.of(4, false, ByteOrder.BIG_ENDIAN));

    @Test
    void shouldReadAndWriteFieldsOfTheFeedAndOfSteps() {
        Schema schema = TRADE.extend(Field.of("first", INT, 0)).extend(Field.of("second", INT, 0));
        byte[] bytes = new byte[5 + 3 * TRADE.recordLength()];
        Arrays.fill(bytes, (byte) 0x55);
        RecordBatch batch = new RecordBatch(schema).fill(bytes, 5, 3, 0, 3L * TRADE.recordLength());
        BatchField<LongCodec> id = BatchField.of(schema, "id", LongCodec.class);
        BatchField<LongCodec> second = BatchField.of(schema, "second", LongCodec.class);

        for (int i = 0; i < 3; i++) {
            id.codec().put(id.bytes(batch), id.offset(batch, i), 100 + i);
            second.codec().put(second.bytes(batch), second.offset(batch, i), 200 + i);
        }

        RecordCodec codec = RecordCodec.of(schema);
        for (int i = 0; i < 3; i++) {
            byte[] record = new byte[schema.recordLength()];
            batch.copyRecord(i, record, 0, record.length);
            assertThat(codec.codec("id").value(record, 0)).isEqualTo(100L + i);
            assertThat(codec.codec("second").value(record, 0)).isEqualTo(200L + i);
        }
    }

    @Test
    void shouldRefuseAnotherFieldOrType() {
        assertThatThrownBy(() -> BatchField.of(TRADE, "card", LongCodec.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Unknown field 'card' in schema 'trade'. Use the name of a field.");
        assertThatThrownBy(() -> BatchField.of(TRADE, "id", StringCodec.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid type of field 'id': ")
                .hasMessageEndingWith(". Use a field whose codec is StringCodec.");
    }
}
