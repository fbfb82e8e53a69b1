package io.millrace.codec.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bytes of public messages, which {@code docs/benchmarks} compares with those of other formats. */
class MessageSizesTest {

    private static final Path MESSAGES = Path.of("src/test/resources/messages");

    @ParameterizedTest
    @CsvSource({"pacs008, 392", "camt053, 4253", "fpml-swap, 548"})
    void shouldStoreAMessageInFewBytesAndKeepEveryValue(String name, int recordBytes) throws IOException {
        Schema schema = SchemaReader.read(MESSAGES.resolve(name + ".yml"));
        byte[] text = Files.readAllBytes(MESSAGES.resolve(name + ".json"));
        JsonToCompact reader = new JsonToCompact(schema);
        reader.append(text, 0, text.length);
        byte[] record = reader.encoder().toBytes();
        JsonBuffer json = new JsonBuffer();
        new CompactToJson(schema, JsonForm.FILE).write(record, 0, record.length, json);
        assertThat(values(json.toBytes())).isEqualTo(values(text));
        assertThat(record).hasSize(recordBytes);
    }

    /** Returns all values that are not absent by their paths. Numbers are without zeros at the end. */
    private static Map<String, Object> values(byte[] json) {
        Map<String, Object> values = new LinkedHashMap<>();
        add("", JsonMapper.builder().build().readTree(json), values);
        return values;
    }

    private static void add(String path, JsonNode node, Map<String, Object> values) {
        if (node.isObject()) {
            node.properties().forEach(member -> add(path + "." + member.getKey(), member.getValue(), values));
        } else if (node.isArray()) {
            IntStream.range(0, node.size()).forEach(i -> add(path + "[" + i + "]", node.get(i), values));
        } else if (node.isNumber()) {
            values.put(path, new BigDecimal(node.asString()).stripTrailingZeros());
        } else if (!node.isNull()) {
            values.put(path, node);
        }
    }
}
