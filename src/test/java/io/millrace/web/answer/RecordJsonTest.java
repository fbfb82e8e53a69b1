package io.millrace.web.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactRecords;
import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.JsonForm;
import io.millrace.codec.json.RowToJson;
import io.millrace.codec.text.JsonText;
import io.millrace.codec.text.RecordBuffer;
import io.millrace.expression.RandomSchemas;
import io.millrace.feed.Split;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.table.ExtremeRecords;
import io.millrace.web.request.RecordJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The JSON of a record is the same in files and in answers, and restores the record. */
class RecordJsonTest {

    private static String text(JsonBuffer json) {
        return new String(json.toBytes(), StandardCharsets.UTF_8);
    }

    /** What Jackson writes of the decoded values, as queries of selected fields, entries and taps do. */
    private static String decoded(Schema schema, byte[] record) {
        return RecordJson.mapper().writeValueAsString(StoredRecords.of(schema).decode(record, 0, record.length));
    }

    private static byte[] read(Schema schema, String json) throws IOException {
        RecordBuffer records = new RecordBuffer(schema);
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        assertThat(new JsonText(schema).read(bytes, 0, bytes.length, records)).isEmpty();
        return Arrays.copyOf(records.bytes(), records.length());
    }

    @Property(tries = 1000)
    void shouldBeOneFormOfCompactRecords(@ForAll long seed) throws IOException {
        CompactRecords sample = CompactRecords.of(seed);
        Schema schema = sample.schema();
        byte[] record = sample.bytes();
        JsonBuffer file = new JsonBuffer();
        new CompactToJson(schema, JsonForm.FILE).write(record, 0, record.length, file);
        JsonBuffer rows = new JsonBuffer();
        new RowToJson(schema).write(sample.row(), 0, sample.children(), 0, rows);
        byte[] query = new CompactRecordJson(schema, StoredRecords.of(schema), RecordJson.mapper())
                .read(record, 0, record.length);

        assertThat(text(rows)).isEqualTo(text(file));
        assertThat(new String(query, StandardCharsets.UTF_8)).isEqualTo(text(file));
        assertThat(decoded(schema, record)).isEqualTo(text(file));
        assertThat(read(schema, text(file))).isEqualTo(record);
    }

    @Property(tries = 1000)
    void shouldBeOneFormOfFixedRecords(@ForAll Random random) throws IOException {
        Schema schema = RandomSchemas.next(random).base();
        RecordBatch batch = new RecordBatch(schema);
        try (GeneratorFeed feed = new GeneratorFeed(schema, random.nextLong(), 10, 0, 10, Split.WHOLE)) {
            feed.open(0);
            feed.poll(batch, Duration.ZERO);
        }
        assertThat(batch.count()).isEqualTo(10);
        for (int i = 0; i < batch.count(); i++) {
            assertOneForm(
                    schema,
                    Arrays.copyOfRange(batch.bytes(), batch.offset(i), batch.offset(i) + schema.recordLength()));
        }
    }

    @Test
    void shouldBeOneFormOfExtremeRecords() throws IOException {
        for (byte[] record : ExtremeRecords.all(1)) {
            assertOneForm(ExtremeRecords.SCHEMA, record);
        }
    }

    private static void assertOneForm(Schema schema, byte[] record) throws IOException {
        JsonBuffer file = new JsonBuffer();
        new RowToJson(schema).write(record, 0, List.of(), 0, file);
        assertThat(decoded(schema, record)).isEqualTo(text(file));
        JsonBuffer again = new JsonBuffer();
        new RowToJson(schema).write(read(schema, text(file)), 0, List.of(), 0, again);
        assertThat(text(again)).isEqualTo(text(file));
    }

    @Test
    void shouldHaveAllMembersOfTheSchema() throws IOException {
        Schema schema = SchemaReader.read("s.yml", """
                schema: s
                layout: compact
                fields:
                  - { name: day, type: date, format: dd/MM/yyyy }
                  - { name: note, type: string, length: 5, optional: true }
                  - { name: code, type: bytes, length: 2 }
                  - { name: rate, type: f32 }
                  - { name: share, type: decimal, scale: 12 }
                  - name: party
                    type: group
                    optional: true
                    fields: [ { name: id, type: u64 } ]
                  - name: legs
                    type: group
                    repeat: many
                    fields: [ { name: days, type: u8, repeat: many } ]
                """.getBytes(StandardCharsets.UTF_8));
        byte[] record = read(schema, """
                {"day":"24/12/2026","code":"00FF","rate":26.3,"share":1e-12}""");
        JsonBuffer file = new JsonBuffer();
        new CompactToJson(schema, JsonForm.FILE).write(record, 0, record.length, file);
        String json = """
                {"day":"24/12/2026","note":null,"code":"00ff","rate":26.3,"share":0.000000000001,"party":null,"legs":[]}""";
        assertThat(text(file)).isEqualTo(json);
        // Only files have the format of a date.
        assertThat(decoded(schema, record)).isEqualTo(json.replace("24/12/2026", "2026-12-24"));
        assertThat(read(schema, json)).isEqualTo(record);
    }
}
