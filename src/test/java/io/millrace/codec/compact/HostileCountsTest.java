package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.upgrade.CompactUpgrade;
import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.JsonForm;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.query.NoResultException;
import io.millrace.store.query.StoredRecords;
import io.millrace.view.RecordViews;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Records of a few bytes that state large lengths and numbers of elements, or whose elements take much more memory than
 * bytes: each reader refuses them, or reads them in a bounded amount of memory, and other records are not affected.
 */
class HostileCountsTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MIB = 1 << 20;

    /** Elements without values of their own, and lists in them: a row of such an element takes no bytes. */
    private static final Schema NESTED = schema("""
            schema: s
            layout: compact
            fields:
              - name: orders
                type: group
                repeat: many
                fields:
                  - name: legs
                    type: group
                    repeat: many
                    fields:
            """
            + IntStream.range(0, 30)
                    .mapToObj(i -> "          - { name: list" + i + ", type: u8, repeat: many }\n")
                    .collect(Collectors.joining()));

    /** Elements of a byte whose rows take 60,000. */
    private static final Schema WIDE = schema("""
            schema: s
            layout: compact
            fields:
              - { name: id, type: u8 }
              - { name: texts, type: string, length: 60000, repeat: many }
            """);

    /** A view of {@link #SMALL}. */
    public interface Small extends Serializable {
        int id();

        List<Leg> legs();

        List<Long> values();
    }

    /** An element. */
    public interface Leg {
        String text();

        List<Long> fees();
    }

    private static final Schema SMALL = schema("""
            schema: s
            layout: compact
            fields:
              - { name: id, type: u8 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: text, type: string, length: 10 }
                  - { name: fees, type: u32, repeat: many }
              - { name: values, type: u32, repeat: many }
            """);

    private static Schema schema(String yaml) {
        return SchemaReader.read("s.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a varint in a form of so many bytes. */
    private static String varint(long value, int bytes) {
        if (bytes == Varint.MAX_BYTES) {
            return "ff" + HexFormat.of().toHexDigits(value);
        }
        int head = 0xFF00 >>> (bytes - 1) & 0xFF;
        String digits = HexFormat.of().toHexDigits(value);
        byte[] form = HexFormat.of().parseHex(digits.substring(digits.length() - 2 * bytes));
        form[0] |= (byte) head;
        return HexFormat.of().formatHex(form);
    }

    private static List<String> hostileRecords() {
        List<String> numbers = new ArrayList<>();
        for (long value : new long[] {
            1L << 7, 65_536, 1L << 28, (1L << 31) - 1, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, -1
        }) {
            for (int bytes = Varint.bytes(value); bytes <= Varint.MAX_BYTES; bytes++) {
                numbers.add(varint(value, bytes));
            }
        }
        // bits of the record: legs and values; id; then a list, whose length or count is hostile.
        return Stream.concat(
                        numbers.stream()
                                .flatMap(number -> Stream.of(
                                        "0107" + number + "00",
                                        "0107" + counted(number),
                                        "0107" + counted("01" + length("00" + number)),
                                        "0107" + counted("01" + length("01" + "00" + counted(number))),
                                        "0207" + number + "00",
                                        "0207" + counted(number),
                                        "0307" + counted("00") + counted(number))),
                        Stream.of(
                                "",
                                "01",
                                "0107",
                                "010700",
                                "01070101",
                                "0107020100",
                                "ffffffffffffffffffffff",
                                "020701"))
                .toList();
    }

    private static String length(String content) {
        return varint(content.length() / 2, 1) + content;
    }

    /** Returns a list: its length, then its count and elements. */
    private static String counted(String content) {
        return length(content);
    }

    /** Runs something, and requires that it allocates little. */
    private static void bounded(Runnable reader) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            reader.run();
        } finally {
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MIB);
        }
    }

    @Test
    void shouldRefuseLengthsAndCountsThatTheBytesDoNotHold() {
        List<String> records = hostileRecords();
        assertThat(records).hasSizeGreaterThan(250);
        List<CompactFinder> finders = List.of(
                CompactFinder.admission(SMALL),
                CompactFinder.of(SMALL),
                CompactFinder.interpreted(SMALL, true),
                CompactFinder.interpreted(SMALL, false));
        CompactLayout layout = (CompactLayout) SMALL.layout();
        RecordViews<Small> views = RecordViews.of(Small.class, SMALL);
        StoredRecords stored = StoredRecords.of(SMALL);
        CompactToJson json = new CompactToJson(SMALL, JsonForm.API);
        CompactUpgrade upgrade = CompactUpgrade.of(layout, (CompactLayout) LONGER.layout(), Map.of());
        for (String hex : records) {
            byte[] record = HexFormat.of().parseHex(hex);
            for (CompactFinder finder : finders) {
                RecordBatch batch = batch(SMALL, record);
                bounded(() -> finder.admit(
                        batch,
                        (_, _, reason) -> assertThat(reason.detail())
                                .matches("(Truncated record|Invalid number of elements|Invalid len).*")));
                assertThat(batch.selected()).isZero();
            }
            bounded(() ->
                    assertThatExceptionOfType(NoResultException.class).isThrownBy(() -> stored.decode(record, 0)));
            bounded(() -> assertThatExceptionOfType(JsonRecordException.class)
                    .isThrownBy(() -> json.write(record, 0, record.length, new JsonBuffer())));
            bounded(() -> assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> upgrade.upgrade(record, 0, record.length)));
            bounded(() -> assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> new CompactCodec(SMALL).locator().find(record, 0, record.length)));
            Small view = views.of(record);
            bounded(() -> assertThatThrownBy(() -> readAll(view)).isInstanceOf(IllegalArgumentException.class));
            bounded(() -> assertThatThrownBy(() -> readAll(deserialized(serialized(view))))
                    .isInstanceOf(IllegalArgumentException.class));
            assertThatThrownBy(() -> views.edit(view)).as(hex).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static final Schema LONGER = schema("""
            schema: s
            layout: compact
            fields:
              - { name: id, type: u8 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: added, type: u8, optional: true }
                  - { name: text, type: string, length: 10 }
                  - { name: fees, type: i64, repeat: many }
              - { name: values, type: i64, repeat: many }
            """);

    private static void readAll(Small view) {
        view.id();
        for (Leg leg : view.legs()) {
            leg.text();
            leg.fees().forEach(fee -> assertThat(fee).isNotNegative());
        }
        view.values().forEach(value -> assertThat(value).isNotNegative());
    }

    private static byte[] serialized(Small view) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(view);
            out.flush();
            return bytes.toByteArray();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Small deserialized(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Small) in.readObject();
        } catch (java.io.IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static RecordBatch batch(Schema schema, byte[]... records) {
        int[] bounds = new int[records.length + 1];
        for (int i = 0; i < records.length; i++) {
            bounds[i + 1] = bounds[i] + records[i].length;
        }
        byte[] bytes = new byte[bounds[records.length]];
        for (int i = 0; i < records.length; i++) {
            System.arraycopy(records[i], 0, bytes, bounds[i], records[i].length);
        }
        RecordBatch batch = new RecordBatch(schema);
        batch.fill(bytes, bounds, records.length, 0);
        return batch;
    }

    private static List<String> admit(RecordBatch batch) {
        List<String> rejects = new ArrayList<>();
        CompactFinder.admission(batch.schema())
                .admit(batch, (_, ordinal, reason) -> rejects.add(ordinal + " " + reason.detail()));
        return rejects;
    }

    /** Returns a record of {@link #WIDE} with empty texts. */
    private static byte[] wide(int texts) {
        byte[] record = new byte[texts + 20];
        record[0] = 1;
        byte[] count = new byte[9];
        int countBytes = Varint.put(count, 0, texts);
        int at = Varint.put(record, 2, countBytes + texts);
        at = Varint.put(record, at, texts);
        return Arrays.copyOf(record, at + texts);
    }

    @Test
    void shouldAdmitTheRecordsAfterOneThatStatesTooManyElements() {
        byte[] hostile = HexFormat.of().parseHex("0101" + "04" + varint(65_535, 3) + "00");

        List<String> rejects = admit(batch(WIDE, hostile, wide(3), hostile, wide(3)));

        assertThat(rejects).hasSize(2);
        assertThat(rejects.get(0)).startsWith("0 Invalid number of elements of texts[]: 65535.");
        assertThat(rejects.get(1)).startsWith("2 ");
    }

    @Test
    void shouldAdmitRecordsWithFewElementsWhateverOthersInTheBatchTake() {
        byte[][] records = new byte[50][];
        Arrays.fill(records, wide(1000)); // 60 MB each
        for (int i = 5; i < records.length; i += 5) {
            records[i] = wide(3);
        }
        List<String> rejects = new ArrayList<>();
        RecordBatch batch = batch(WIDE, records);

        CompactFinder.admission(WIDE).admit(batch, (_, ordinal, reason) -> {
            rejects.add(reason.detail());
            assertThat(ordinal % 5 != 0 || ordinal == 0).isTrue();
        });

        assertThat(rejects).isNotEmpty().allSatisfy(reason -> assertThat(reason).contains("millrace.batch-records"));
        assertThat(batch.selected()).isBetween(9 + 2, 9 + 5);
    }

    /** Returns a record with so many orders, each with 65,535 legs that have no values. */
    private static byte[] nested(int orders) {
        int legs = 65_535;
        byte[] order = new byte[2 * legs + 20];
        order[0] = 1;
        int at = Varint.put(order, 1, 3 + 2 * legs);
        at = Varint.put(order, at, legs);
        for (int i = 0; i < legs; i++) {
            order[at] = 1;
            at += 2;
        }
        byte[] record = new byte[orders * (at + 4) + 20];
        record[0] = 1;
        byte[] lengths = new byte[9];
        int lengthBytes = Varint.put(lengths, 0, at);
        int next = Varint.put(record, 1, 1 + orders * (lengthBytes + at));
        next = Varint.put(record, next, orders);
        for (int i = 0; i < orders; i++) {
            next = Varint.put(record, next, at);
            System.arraycopy(order, 0, record, next, at);
            next += at;
        }
        return Arrays.copyOf(record, next);
    }

    @Test
    void shouldCountTheMemoryOfListsInElements() {
        RecordBatch batch = batch(NESTED, nested(20));
        long before = THREADS.getCurrentThreadAllocatedBytes();

        List<String> rejects = admit(batch);

        // Each of the 1,310,700 legs has 30 lists, whose bounds take 8 bytes each.
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(256 * MIB);
        assertThat(rejects).hasSize(1);
        assertThat(rejects.getFirst()).contains("of a record take at most 67108864 bytes in memory");
    }

    @Test
    void shouldCountTheMemoryOfListsInElementsOfJson() {
        String order = "{\"legs\":[" + "{},".repeat(65_534) + "{}]}";
        byte[] text = ("{\"orders\":[" + (order + ",").repeat(5) + order + "]}").getBytes(StandardCharsets.UTF_8);

        assertThatExceptionOfType(JsonRecordException.class)
                .isThrownBy(() -> new JsonToCompact(NESTED).append(text, 0, text.length))
                .withMessageContaining("of a record take at most 67108864 bytes in memory");
    }

    @Test
    void shouldNotShowListsThatTakeTooMuchMemoryAsObjects() {
        byte[] record = nested(2);
        long before = THREADS.getCurrentThreadAllocatedBytes();

        assertThatExceptionOfType(NoResultException.class)
                .isThrownBy(() -> StoredRecords.of(NESTED).decode(record, 0))
                .withMessageContaining("values in its lists");

        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(256 * MIB);
    }

    @Test
    void shouldBoundTheJsonOfARecord() {
        Schema schema = schema("""
                schema: s
                layout: compact
                fields:
                  - { name: texts, type: string, length: 60000, frequent: [%s], repeat: many }
                """.formatted("x".repeat(50_000)));
        byte[] record = wide(65_535);
        Arrays.fill(record, record.length - 65_535, record.length, (byte) 1);
        byte[] withoutId = new byte[record.length - 1];
        withoutId[0] = 1;
        System.arraycopy(record, 2, withoutId, 1, withoutId.length - 1);
        JsonBuffer json = new JsonBuffer();
        json.put('x');

        assertThatExceptionOfType(JsonRecordException.class)
                .isThrownBy(() -> new CompactToJson(schema, JsonForm.API).write(withoutId, 0, withoutId.length, json))
                .withMessageContaining("as JSON");
        assertThat(json.length()).isEqualTo(1);
    }

    @Test
    void shouldNotEditRecordsOfTooManyElements() {
        JsonToCompact records = new JsonToCompact(SMALL);
        String leg = "{\"text\":\"\",\"fees\":[" + "0,".repeat(65_534) + "0]}";
        byte[] text = ("{\"id\":1,\"legs\":[" + (leg + ",").repeat(16) + leg + "],\"values\":[]}")
                .getBytes(StandardCharsets.UTF_8);
        records.append(text, 0, text.length);
        RecordViews<Small> views = RecordViews.of(Small.class, SMALL);
        Small view = views.of(records.encoder().toBytes());

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> views.edit(view))
                .withMessage("Too many elements to edit: 1114112. A record has at most 1048576.");
    }
}
