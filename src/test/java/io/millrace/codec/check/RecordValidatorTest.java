package io.millrace.codec.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.codec.frame.FixedFramer;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordValidatorTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");

    private final List<String> rejects = new ArrayList<>();

    private void keep(RecordBatch batch, int ordinal, RejectReason reason) {
        rejects.add(ordinal + ": " + reason.kind().tag() + " " + reason.detail());
    }

    private static RecordBatch trades(int start, int count) {
        byte[] bytes = new byte[start + count * 39];
        RecordGenerator.of(TRADE, 1).fill(bytes, start, count);
        return new RecordBatch(TRADE).fill(bytes, start, count, 0, count * 39L);
    }

    @Test
    void shouldTakeInvalidRecordsOutOfTheSelection() {
        RecordBatch batch = trades(5, 6);
        batch.bytes()[batch.offset(1) + 10] = 2;
        batch.bytes()[batch.offset(2) + 11] = 8;
        batch.bytes()[batch.offset(4) + 28] = -1;
        batch.bytes()[batch.offset(4) + 11] = 99;
        batch.bytes()[batch.offset(5) + 11] = 99;
        batch.select(5);

        RecordValidator.of(TRADE).admit(batch, this::keep);

        assertThat(rejects)
                .containsExactly(
                        "1: invalid-value Invalid value '2' of 'buySell'. No name of the dictionary has this code.",
                        "2: invalid-value Invalid value '8' of 'currency1'. No name of the dictionary has this code.",
                        "4: invalid-value Invalid value '99' of 'currency1'. No name of the dictionary has this code.");
        assertThat(Arrays.copyOf(batch.selection(), batch.selected())).containsExactly(0, 3);
    }

    @Test
    void shouldAllocateNothingWhenAllIsValid() {
        RecordBatch batch = trades(0, 1000);
        RecordValidator validator = RecordValidator.of(TRADE);
        RejectSink none = (_, _, reason) -> fail(reason.detail());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 2000; i++) {
            validator.admit(batch, none);
        }

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 2000; i++) {
            validator.admit(batch, none);
        }
        // Reading the counter takes some itself; a byte a record would be two million.
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
        assertThat(batch.selected()).isEqualTo(1000);
    }

    @Test
    void shouldNotCheckFieldsThatStepsAdd() {
        Schema extended = TRADE.extend(
                Field.of("flag", new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 0));
        byte[] bytes = trades(0, 3).bytes();
        RecordBatch batch = new RecordBatch(extended).fill(bytes, 0, 3, 0, 117);
        Arrays.fill(batch.added(), (byte) 9);

        RecordValidator.of(extended).admit(batch, this::keep);

        assertThat(rejects).isEmpty();
    }

    @Test
    void shouldCheckEachKindOfField() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                fields:
                  - { name: a, type: boolean, optional: true }
                  - { name: b, type: enum, values: { 1: x, 3: y } }
                  - { name: c, type: i16, min: -2, max: 2 }
                  - { name: d, type: decimal, scale: 1, as: i32, order: little, min: 0.25 }
                  - { name: e, type: f32, max: 1 }
                  - { name: f, type: string, length: 2 }
                  - { name: g, type: i64, max: 5 }
                  - { name: h, type: u64 }
                """.getBytes(StandardCharsets.UTF_8));
        String[][] records = {
            {"01", "01", "fffe", "03000000", "3f800000", "4120", "0000000000000005", "ffffffffffffffff"},
            {"ff", "03", "0002", "ffffff7f", "ff800000", "2020", "8000000000000000", "0000000000000000"},
            {"02", "01", "0000", "03000000", "3f800000", "4120", "0000000000000005", "0000000000000000"},
            {"01", "02", "0000", "03000000", "3f800000", "4120", "0000000000000005", "0000000000000000"},
            {"01", "01", "fffd", "03000000", "3f800000", "4120", "0000000000000005", "0000000000000000"},
            {"01", "01", "0000", "02000000", "3f800000", "4120", "0000000000000005", "0000000000000000"},
            {"01", "01", "0000", "03000000", "3f800001", "4120", "0000000000000005", "0000000000000000"},
            {"01", "01", "0000", "03000000", "7fc00000", "4120", "0000000000000005", "0000000000000000"},
            {"01", "01", "0000", "03000000", "3f800000", "80ff", "0000000000000005", "0000000000000000"},
            {"01", "01", "0000", "03000000", "3f800000", "4120", "0000000000000006", "0000000000000000"},
        };
        StringBuilder hex = new StringBuilder();
        Arrays.stream(records).flatMap(Arrays::stream).forEach(hex::append);
        byte[] bytes = HexFormat.of().parseHex(hex);
        RecordBatch batch = new RecordBatch(schema).fill(bytes, 0, records.length, 0, bytes.length);

        RecordValidator.of(schema).admit(batch, this::keep);

        assertThat(rejects)
                .containsExactly(
                        "2: invalid-value Invalid value '2' of 'a'. Use 0 or 1.",
                        "3: invalid-value Invalid value '2' of 'b'. No name of the dictionary has this code.",
                        "4: invalid-value Invalid value '-3' of 'c'. Use -2 or more.",
                        "5: invalid-value Invalid value '0.2' of 'd'. Use 0.25 or more.",
                        "6: invalid-value Invalid value '1.0000001' of 'e'. Use 1 or less.",
                        "7: invalid-value Invalid value 'NaN' of 'e'. Use a number: the field has a smallest or a largest one.",
                        "8: invalid-value Invalid value '80ff' of 'f'. The bytes are not text in US-ASCII.",
                        "9: invalid-value Invalid value '6' of 'g'. Use 5 or less.");
        assertThat(Arrays.copyOf(batch.selection(), batch.selected())).containsExactly(0, 1);
    }

    @Test
    void shouldFrameWholeRecordsAndReportWhatIsLeftOver() {
        FixedFramer framer = FixedFramer.of(TRADE);
        RecordBatch batch = new RecordBatch(TRADE);

        int leftOver = framer.frame(batch, new byte[100], 3, 99, 1000);

        assertThat(leftOver).isEqualTo(18);
        assertThat(batch.count()).isEqualTo(2);
        assertThat(batch.start()).isEqualTo(3);
        assertThat(batch.from()).isEqualTo(1000);
        assertThat(batch.to()).isEqualTo(1078);
        framer.frame(batch, new byte[5], 0, 5, RecordBatch.NO_POSITION);
        assertThat(batch.count()).isZero();
        assertThat(batch.to()).isEqualTo(RecordBatch.NO_POSITION);
    }
}
