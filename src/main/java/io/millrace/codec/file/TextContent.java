package io.millrace.codec.file;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Distinguishes text from binary content. Stateless. */
final class TextContent {

    private static final Pattern JSON = Pattern.compile("\\s*(\\[\\s*)?\\{\\s*(\".*|}.*)?", Pattern.DOTALL);

    /** At least one in this many bytes of binary content is a control character. */
    private static final int CONTROL_SHARE = 20;

    private static final List<String> SEPARATORS = List.of(",", ";", "\t", "\\|");

    private TextContent() {}

    /** Returns the bytes as text in UTF-8, or null if they are none. */
    static @Nullable String utf8(byte[] head) {
        return decode(head, StandardCharsets.UTF_8);
    }

    /**
     * Returns whether bytes are not text of a charset that contains ASCII. Text may contain some control characters or
     * be invalid UTF-8 (another charset), but not both.
     *
     * @param text the bytes as UTF-8, or null
     */
    static boolean isBinary(byte[] head, @Nullable String text) {
        int controls = 0;
        for (byte value : head) {
            controls += isControl((char) (value & 0xff)) ? 1 : 0;
        }
        return text == null ? controls > 0 : (long) controls * CONTROL_SHARE > head.length;
    }

    /** Returns whether a text begins as JSON records do. */
    static boolean isJson(String text) {
        return JSON.matcher(text).matches();
    }

    /** Returns the bytes as text, or null if they are not text, have no line break, or have control characters. */
    static @Nullable String printable(byte[] head) {
        String text = decode(head, isUtf16(head) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
        boolean printable =
                text != null && text.indexOf('\n') >= 0 && text.chars().noneMatch(TextContent::isControl);
        return printable ? text : null;
    }

    /**
     * Returns whether a text names fields of a schema. In a header line, at least two columns and half of all columns
     * must be fields. In JSON, at least two members must be.
     */
    static boolean namesFields(String text, Schema schema) {
        Set<String> known = new HashSet<>();
        for (Field field : schema.fields()) {
            known.add(field.name().toLowerCase(Locale.ROOT));
            known.add(field.label().toLowerCase(Locale.ROOT));
        }
        String lower = text.toLowerCase(Locale.ROOT);
        String firstLine = lower.split("\\R", 2)[0];
        boolean hasHeader = SEPARATORS.stream().anyMatch(separator -> {
            List<String> titles = List.of(firstLine.split(separator, -1));
            long knownTitles = titles.stream()
                    .map(title -> title.replaceAll("[\"\\uFEFF]", "").strip())
                    .filter(known::contains)
                    .distinct()
                    .count();
            return knownTitles >= 2 && knownTitles * 2 >= titles.size();
        });
        if (hasHeader || !isJson(text)) {
            return hasHeader;
        }
        return known.stream().filter(name -> lower.contains('"' + name + '"')).count() >= 2;
    }

    /** Returns whether bytes are text in UTF-16 that begins with a byte order mark. */
    static boolean isUtf16(byte[] head) {
        int mark = head.length < 2 ? 0 : RawBytes.getShort(head, 0) & 0xffff;
        boolean marked = mark == 0xfeff || mark == 0xfffe;
        String text = marked ? decode(head, StandardCharsets.UTF_16) : null;
        return text != null && text.chars().noneMatch(TextContent::isControl);
    }

    private static boolean isControl(int character) {
        boolean layout = character == '\t' || character == '\n' || character == '\f' || character == '\r';
        return (character < ' ' && !layout) || character == 0x7f;
    }

    /**
     * Returns the bytes as text, or null if they are invalid in the charset. An incomplete last character is ignored.
     */
    private static @Nullable String decode(byte[] head, Charset charset) {
        CharBuffer characters = CharBuffer.allocate(head.length + 1);
        boolean malformed = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(head), characters, false)
                .isError();
        return malformed ? null : characters.flip().toString();
    }
}
