package io.millrace.web.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.compact.CompactRecords;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.fuzz.Mutations;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.web.request.RecordJson;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the JSON of compact records with what Jackson writes of the decoded values. */
class CompactRecordJsonTest {

    private static final int MUTATIONS = 50;
    private static final int MARGIN = 5;

    private final JsonMapper mapper = RecordJson.mapper()
            .rebuild()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Property(tries = 1000)
    void shouldWriteTheValuesThatAreDecoded(@ForAll long seed) {
        CompactRecords sample = CompactRecords.of(seed);
        assertSame(sample.schema(), sample.bytes());
    }

    @Property(tries = 300)
    void shouldFailWhereDecodingFails(@ForAll long seed) {
        CompactRecords sample = CompactRecords.of(seed);
        Mutations mutations = new Mutations(seed, List.of(sample.bytes()));
        for (int i = 0; i < MUTATIONS; i++) {
            assertSame(sample.schema(), mutations.next());
        }
    }

    private void assertSame(Schema schema, byte[] record) {
        byte[] stored = new byte[MARGIN + record.length + MARGIN];
        Arrays.fill(stored, (byte) 0x7F);
        System.arraycopy(record, 0, stored, MARGIN, record.length);
        int end = MARGIN + record.length;
        StoredRecords records = StoredRecords.of(schema);
        CompactRecordJson json = new CompactRecordJson(schema, records, mapper);
        assertThat(CompactRecordJson.canWrite(schema)).isTrue();
        assertThat(outcome(() -> json.read(stored, MARGIN, end)))
                .isEqualTo(outcome(() -> mapper.writeValueAsBytes(records.decode(stored, MARGIN, end))));
    }

    /** Returns the tree of a JSON text, or the error. */
    private String outcome(Supplier<byte[]> read) {
        byte[] json;
        try {
            json = read.get();
        } catch (RuntimeException e) {
            return e.toString();
        }
        return plain(mapper.readTree(json)).toString();
    }

    /** Returns a tree in which equal numbers have equal texts. */
    private JsonNode plain(JsonNode node) {
        if (node.isNumber()) {
            BigDecimal number = new BigDecimal(node.asString());
            return mapper.getNodeFactory()
                    .stringNode(number.stripTrailingZeros().toPlainString());
        }
        if (node.isObject()) {
            Map<String, JsonNode> members = new LinkedHashMap<>();
            node.properties().forEach(member -> members.put(member.getKey(), plain(member.getValue())));
            return mapper.valueToTree(members);
        }
        return node.isArray()
                ? mapper.valueToTree(node.valueStream().map(this::plain).toList())
                : node;
    }

    @Test
    void shouldWriteAbsentValuesDatesAndBytesAsDocumented() {
        Schema schema = SchemaReader.read("s.yml", """
                schema: s
                layout: compact
                fields:
                  - { name: day, type: date, format: dd/MM/yyyy }
                  - { name: note, type: string, length: 5, optional: true }
                  - { name: code, type: bytes, length: 2 }
                  - name: legs
                    type: group
                    repeat: many
                    fields:
                      - { name: rate, type: f32, optional: true }
                """.getBytes(StandardCharsets.UTF_8));
        JsonToCompact reader = new JsonToCompact(schema);
        byte[] line = "{\"day\":\"24/12/2026\",\"code\":\"00ff\",\"legs\":[{},{\"rate\":0.1}]}"
                .getBytes(StandardCharsets.UTF_8);
        reader.append(line, 0, line.length);
        byte[] record = reader.encoder().toBytes();
        byte[] json = new CompactRecordJson(schema, StoredRecords.of(schema), mapper).read(record, 0, record.length);
        assertThat(new String(json, StandardCharsets.UTF_8))
                .isEqualTo("{\"day\":\"2026-12-24\",\"note\":null,\"code\":\"00ff\","
                        + "\"legs\":[{\"rate\":null},{\"rate\":0.1}]}");
        assertSame(schema, record);
    }

    @Test
    void shouldWriteRowsAsFromMaps() {
        Map<String, @Nullable Object> trailer = new LinkedHashMap<>();
        trailer.put("scanned", 7);
        trailer.put("firstFailure", null);
        for (Map<String, @Nullable Object> end : List.of(trailer, Map.<String, @Nullable Object>of())) {
            for (int rows = 0; rows < 3; rows++) {
                ByteArrayOutputStream maps = new ByteArrayOutputStream();
                ByteArrayOutputStream objects = new ByteArrayOutputStream();
                JsonRowWriter ofMaps = new JsonRowWriter(mapper, "records", maps);
                JsonObjectWriter ofObjects = new JsonObjectWriter(mapper, "records", objects);
                for (int i = 0; i < rows; i++) {
                    ofMaps.row(Map.of("id", i));
                    ofObjects.row(("{\"id\":" + i + "}").getBytes(StandardCharsets.UTF_8));
                    ofObjects.flush();
                }
                ofMaps.end(end);
                ofMaps.flush();
                ofObjects.end(end);
                assertThat(objects.toString(StandardCharsets.UTF_8)).isEqualTo(maps.toString(StandardCharsets.UTF_8));
            }
        }
    }
}
