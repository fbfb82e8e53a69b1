package io.millrace.codec;

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

    /** One byte of binary content in so many is a control character, at least. */
    private static final int CONTROL_SHARE = 20;

    private static final List<String> SEPARATORS = List.of(",", ";", "\t", "\\|");

    private TextContent() {}

    /** Returns TEXT or JSON, UTF_16 or BINARY. */
    static FileContent of(byte[] head) {
        if (isUtf16(head)) {
            return FileContent.UTF_16;
        }
        String text = decode(head, StandardCharsets.UTF_8);
        int controls = 0;
        for (byte value : head) {
            controls += isControl((char) (value & 0xff)) ? 1 : 0;
        }
        // Text of another charset may have some control characters, or be no UTF-8, but not both.
        if (text == null ? controls > 0 : (long) controls * CONTROL_SHARE > head.length) {
            return FileContent.BINARY;
        }
        return text != null && JSON.matcher(text).matches() ? FileContent.JSON : FileContent.TEXT;
    }

    /** Returns the bytes as text with line breaks and without control characters, or null if they are none. */
    static @Nullable String printable(byte[] head) {
        String text = decode(head, isUtf16(head) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
        boolean printable =
                text != null && text.indexOf('\n') >= 0 && text.chars().noneMatch(TextContent::isControl);
        return printable ? text : null;
    }

    /** Returns whether text is headed by columns most of which are fields, or is JSON with members that are. */
    static boolean namesFields(String text, Schema schema) {
        Set<String> known = new HashSet<>();
        for (Field field : schema.fields()) {
            known.add(field.name().toLowerCase(Locale.ROOT));
            known.add(field.label().toLowerCase(Locale.ROOT));
        }
        String lower = text.toLowerCase(Locale.ROOT);
        String firstLine = lower.split("\\R", 2)[0];
        boolean heads = SEPARATORS.stream().anyMatch(separator -> {
            List<String> titles = List.of(firstLine.split(separator, -1));
            long named = titles.stream()
                    .map(title -> title.replaceAll("[\"\\uFEFF]", "").strip())
                    .filter(known::contains)
                    .distinct()
                    .count();
            return named >= 2 && named * 2 >= titles.size();
        });
        if (heads || !JSON.matcher(text).matches()) {
            return heads;
        }
        return known.stream().filter(name -> lower.contains('"' + name + '"')).count() >= 2;
    }

    private static boolean isUtf16(byte[] head) {
        int mark = head.length < 2 ? 0 : RawBytes.getShort(head, 0) & 0xffff;
        boolean marked = mark == 0xfeff || mark == 0xfffe;
        String text = marked ? decode(head, StandardCharsets.UTF_16) : null;
        return text != null && text.chars().noneMatch(TextContent::isControl);
    }

    private static boolean isControl(int character) {
        boolean layout = character == '\t' || character == '\n' || character == '\f' || character == '\r';
        return (character < ' ' && !layout) || character == 0x7f;
    }

    /** The last character may be cut off. */
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
