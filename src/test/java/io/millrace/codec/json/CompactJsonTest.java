package io.millrace.codec.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompactJsonTest {

    private static final Path EXAMPLE = Path.of("examples/swap");

    private final Schema schema = SchemaReader.read(EXAMPLE.resolve("schemas/swap.yml"));
    private final JsonToCompact reader = new JsonToCompact(schema);

    CompactJsonTest() throws IOException {}

    private byte[] bytes(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        reader.encoder().clear();
        reader.append(text, 0, text.length);
        return reader.encoder().toBytes();
    }

    private String json(byte[] record) {
        JsonBuffer json = new JsonBuffer();
        new CompactToJson(schema, JsonForm.FILE).write(record, 0, record.length, json);
        return new String(json.toBytes(), StandardCharsets.UTF_8);
    }

    private List<String> errors(String json) {
        try {
            bytes(json);
        } catch (JsonRecordException e) {
            return e.reasons();
        }
        return List.of();
    }

    @Test
    void shouldReadAndWriteTheExample() throws IOException {
        int textBytes = 0;
        int recordBytes = 0;
        for (String line : Files.readAllLines(EXAMPLE.resolve("swaps.jsonl"))) {
            byte[] record = bytes(line);
            textBytes += line.getBytes(StandardCharsets.UTF_8).length;
            recordBytes += record.length;
            // The writer writes absent members and empty lists, too, and decimals with their scale.
            String expected =
                    line.replace(",\"legs\":[]", "").replaceAll("(\"(?:notional|amount)\":\\d+)(?=[,}])", "$1.00");
            assertThat(json(record).replaceAll(",\"\\w+\":(null|\\[])", "")).isEqualTo(expected);
            assertThat(bytes(json(record))).isEqualTo(record);
        }
        assertThat(recordBytes).isLessThan(textBytes / 4);
    }

    @Test
    void shouldReportAllErrorsWithTheirPaths() {
        assertThat(errors("""
                {"id":"S-1","tradeDate":"2026-02-30","status":"Nwe","buyer":{"name":"A","country":"DE","citty":1},
                 "legs":[{"currency":"EUR"},{"currency":"EUR","notional":1.005,"payments":{}}],"book":[],"id":"S-2"}"""))
                .hasSize(8)
                .satisfiesExactly(
                        error -> assertThat(error).contains("tradeDate", "2026-02-30"),
                        error -> assertThat(error).contains("status", "Nwe"),
                        error -> assertThat(error).contains("Unknown field 'buyer.citty'"),
                        error -> assertThat(error)
                                .isEqualTo("Missing value of 'legs[].notional'. The field is not optional."),
                        error -> assertThat(error).contains("legs[].notional", "1.005"),
                        error -> assertThat(error).contains("legs[].payments[]", "Use an array."),
                        error -> assertThat(error).isEqualTo("Unknown field 'book'. Did you mean 'books'?"),
                        error -> assertThat(error).isEqualTo("Duplicate field 'id'. Write it once."));
    }

    @Test
    void shouldRefuseWhatIsNoJsonObject() {
        assertThat(errors("[]")).containsExactly("Invalid record: not a JSON object.");
        assertThat(errors("{\"id\":")).hasSize(1).first().asString().startsWith("Invalid JSON at byte");
        assertThat(errors("{} {}")).contains("Unexpected content after the JSON object.");
        assertThat(errors("{\"legs\":" + "[".repeat(5000))).isNotEmpty();
    }

    @Test
    void shouldAppendNothingOfAnInvalidRecord() {
        bytes(
                "{\"id\":\"S\",\"tradeDate\":\"2026-01-01\",\"status\":\"New\",\"buyer\":{\"name\":\"A\",\"country\":\"X\"}}");
        int length = reader.encoder().length();
        byte[] invalid = "{\"id\":\"S\"}".getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(JsonRecordException.class)
                .isThrownBy(() -> reader.append(invalid, 0, invalid.length));
        assertThat(reader.encoder().length()).isEqualTo(length);
    }

    @Test
    void shouldDistinguishAbsentFromEmpty() {
        String start =
                "{\"id\":\"\",\"tradeDate\":\"2020-01-01\",\"status\":\"New\",\"buyer\":{\"name\":\"\",\"country\":\"\"}";
        String all = "{\"id\":\"\",\"tradeDate\":\"2020-01-01\",\"status\":\"New\",\"cleared\":null,"
                + "\"buyer\":{\"name\":\"\",\"lei\":null,\"country\":\"\"},\"broker\":null,\"legs\":[],\"books\":[]}";
        assertThat(json(bytes(start + ",\"cleared\":null,\"broker\":null,\"books\":null}")))
                .isEqualTo(all);
        assertThat(json(bytes(start + ",\"cleared\":false,\"books\":[\"\"]}")))
                .isEqualTo(all.replace("\"cleared\":null", "\"cleared\":false")
                        .replace("\"books\":[]", "\"books\":[\"\"]"));
    }

    @Test
    void shouldBoundTheMemoryOfElements() {
        Schema wide = SchemaReader.read("s.yml", """
                schema: s
                layout: compact
                fields:
                  - { name: texts, type: string, length: 60000, repeat: many }
                """.getBytes(StandardCharsets.UTF_8));
        byte[] json = ("{\"texts\":[" + "\"\",".repeat(5000) + "\"\"]}").getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(JsonRecordException.class)
                .isThrownBy(() -> new JsonToCompact(wide).append(json, 0, json.length))
                .withMessageContaining("Too many elements of 'texts[]'");
    }
}
