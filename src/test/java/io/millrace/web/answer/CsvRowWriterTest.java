package io.millrace.web.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class CsvRowWriterTest {

    @Test
    void shouldWritePartsThatContainOthersAsJson() {
        Map<String, @Nullable Object> leg = new LinkedHashMap<>();
        leg.put("currency", "EUR");
        leg.put("notional", new BigDecimal("1000000.00"));
        leg.put("rate", null);
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", "S-1");
        row.put("broker", null);
        row.put("legs", List.of(leg));
        row.put("books", List.of("a", "b"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvRowWriter rows =
                new CsvRowWriter(new JsonMapper(), List.of("id", "broker", "legs", "books"), text -> text, out);
        rows.row(row);
        rows.flush();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("id,broker,legs,books\r\nS-1,,"
                        + "\"[{\"\"currency\"\":\"\"EUR\"\",\"\"notional\"\":1000000.00,\"\"rate\"\":null}]\","
                        + "\"[\"\"a\"\",\"\"b\"\"]\"\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1"})
    void shouldNotLetASpreadsheetRunATextAsAFormula(String text) {
        assertThat(CsvRowWriter.withoutFormula(text)).isEqualTo("'" + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=1", " =1", "'=1", "1-1"})
    void shouldLeaveOtherTextsAsTheyAre(String text) {
        assertThat(CsvRowWriter.withoutFormula(text)).isSameAs(text);
    }

    @Test
    void shouldReplaceTextsAndNotNumbers() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvRowWriter rows =
                new CsvRowWriter(new JsonMapper(), List.of("text", "number"), CsvRowWriter::withoutFormula, out);
        rows.row(Map.of("text", "-1", "number", -1L));
        rows.flush();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("text,number\r\n'-1,-1\r\n");
    }
}
