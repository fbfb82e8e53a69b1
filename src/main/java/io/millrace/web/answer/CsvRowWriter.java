package io.millrace.web.answer;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import de.siegmar.fastcsv.writer.QuoteStrategies;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes rows as CSV (RFC 4180) in UTF-8, after a header with the column names. An absent value is empty, an empty text
 * is {@code ""}. Other values are written as in JSON: decimals with their scale, dates and instants in ISO 8601, bytes
 * in hexadecimal digits. Parts that contain others, such as lists, are JSON. Values that follow the rows are left out.
 */
final class CsvRowWriter implements RowWriter<Map<String, @Nullable Object>> {

    /** First characters of formulas, and those that spreadsheets skip before one. */
    private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private final JsonMapper mapper;
    private final UnaryOperator<String> texts;
    private final CsvWriter csv;
    private final List<String> columns;

    /**
     * Writes the header.
     *
     * @param mapper writes parts that contain others
     * @param columns names of the values of each row
     * @param texts replaces texts, but not numbers and other values
     */
    CsvRowWriter(JsonMapper mapper, List<String> columns, UnaryOperator<String> texts, OutputStream out) {
        this.mapper = mapper;
        this.texts = texts;
        this.columns = columns;
        csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.CRLF)
                .quoteStrategy(QuoteStrategies.EMPTY)
                .build(out, StandardCharsets.UTF_8);
        csv.writeRecord(columns);
    }

    @Override
    public void row(Map<String, @Nullable Object> row) {
        csv.writeRecord(columns.stream().map(column -> text(row.get(column))).toArray(String[]::new));
    }

    /** Returns a text that a spreadsheet shows as it is: one that would begin a formula follows an apostrophe. */
    static String withoutFormula(String text) {
        return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }

    private @Nullable String text(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> texts.apply(text);
            case BigDecimal decimal -> decimal.toPlainString();
            case Map<?, ?> group -> mapper.writeValueAsString(group);
            case List<?> elements -> mapper.writeValueAsString(elements);
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> value.toString();
        };
    }

    @Override
    public void end(Map<String, @Nullable Object> trailer) {}

    @Override
    public void flush() {
        try {
            csv.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
