package io.millrace.view.source;

import java.util.ArrayList;
import java.util.List;

/** Writes texts as Java source. Stateless. */
final class TextBlocks {

    /** No constant of a class file has more than 65,535 bytes; a character has up to three. */
    private static final int MAX_CHARACTERS = 20_000;

    private TextBlocks() {}

    /**
     * Returns an expression of a text: one text block, or several that are joined if one would be too long.
     *
     * @param indent indentation of the lines of the text
     */
    static String literal(String text, String indent) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        int characters = 0;
        for (String line : text.lines().toList()) {
            if (characters + line.length() > MAX_CHARACTERS && characters > 0) {
                blocks.add(block(block, indent));
                block.setLength(0);
                characters = 0;
            }
            String escaped = escaped(line);
            block.append(escaped.isEmpty() ? "" : indent).append(escaped).append('\n');
            characters += line.length();
        }
        blocks.add(block(block, indent));
        return blocks.size() == 1 ? blocks.getFirst() : "String.join(\"\", " + String.join(", ", blocks) + ")";
    }

    /** Returns a text of one line in quotes. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.replace("\\", "\\\\").replace("\"", "\\\"").chars().forEach(c -> {
            if (c < ' ') {
                quoted.append(String.format("\\%03o", c));
            } else {
                append(quoted, (char) c);
            }
        });
        return quoted.append('"').toString();
    }

    /** Appends a character, whatever encoding the compiler reads. */
    private static void append(StringBuilder text, char c) {
        text.append(c < 0x7F ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }

    private static String block(CharSequence lines, String indent) {
        return "\"\"\"\n" + lines + indent + "\"\"\"";
    }

    /** Escapes what a text block does not keep. */
    private static String escaped(String line) {
        StringBuilder escaped = new StringBuilder();
        String quoted = line.replace("\\", "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
        quoted.chars().forEach(c -> append(escaped, (char) c));
        int last = escaped.length() - 1;
        if (last >= 0 && Character.isWhitespace(escaped.charAt(last))) {
            escaped.replace(last, last + 1, escaped.charAt(last) == '\t' ? "\\t" : "\\s");
        }
        return escaped.toString();
    }
}
