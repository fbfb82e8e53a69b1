package io.millrace.codec.text.csv;

import io.millrace.codec.RawBytes;
import io.millrace.codec.text.CsvException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Splits a line of CSV into its values (RFC 4180). Not thread-safe. */
final class CsvCells {

    private static final String OPEN_QUOTE = "Missing quote at the end of a value. Close it.";
    private static final String NOT_CSV =
            "Invalid CSV. Write a value with quotes or line breaks in quotes, and each of its quotes twice.";
    private static final String NOT_UTF_8 = "Invalid characters. Use UTF-8.";

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private int columns = 8;

    /**
     * Returns the values, without their quotes.
     *
     * @throws CsvException if the line is not CSV in UTF-8; the message has no place
     */
    List<String> split(byte[] bytes, int from, int length) {
        String text = decode(bytes, from, length);
        List<String> cells = new ArrayList<>(columns);
        int at = 0;
        while (true) {
            boolean quoted = at < text.length() && text.charAt(at) == '"';
            int end = quoted ? quoteEnd(text, at) : text.indexOf(',', at);
            end = end < 0 ? text.length() : end;
            if (quoted && end < text.length() && text.charAt(end) != ',') {
                throw new CsvException(List.of(NOT_CSV));
            }
            cells.add(quoted ? unquoted(text.substring(at + 1, end - 1)) : text.substring(at, end));
            if (end == text.length()) {
                columns = cells.size();
                return cells;
            }
            at = end + 1;
        }
    }

    private String decode(byte[] bytes, int from, int length) {
        if (RawBytes.isAscii(bytes, from, length)) {
            return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        }
        try {
            return decoder.decode(ByteBuffer.wrap(bytes, from, length)).toString();
        } catch (CharacterCodingException _) {
            throw new CsvException(List.of(NOT_UTF_8));
        }
    }

    /** Returns the offset after the quote that closes a value. */
    private static int quoteEnd(String text, int from) {
        int quote = text.indexOf('"', from + 1);
        while (quote >= 0 && quote + 1 < text.length() && text.charAt(quote + 1) == '"') {
            quote = text.indexOf('"', quote + 2);
        }
        if (quote < 0) {
            throw new CsvException(List.of(OPEN_QUOTE));
        }
        return quote + 1;
    }

    private static String unquoted(String value) {
        return value.indexOf('"') < 0 ? value : value.replace("\"\"", "\"");
    }
}
