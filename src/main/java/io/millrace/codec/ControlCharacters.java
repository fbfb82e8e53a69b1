package io.millrace.codec;

/**
 * Escapes the characters of a text from outside that would end a line of a log, or that a terminal would execute or
 * reorder: controls, line and paragraph separators, and controls of the writing direction. Stateless.
 */
public final class ControlCharacters {

    private ControlCharacters() {}

    /** Returns a text with such characters as in Java, such as {@code \\u001b}; the same text if it has none. */
    public static String escaped(String text) {
        return escaped(text, false);
    }

    /** The same for a text of several lines: line feeds and tabs stay. */
    public static String escapedLines(String text) {
        return escaped(text, true);
    }

    /** The same, and further lines that are not indented are, so that none looks like a line of its own. */
    public static String indented(String text) {
        String lines = escapedLines(text);
        StringBuilder indented = new StringBuilder(lines.length() + 16);
        for (int i = 0; i < lines.length(); i++) {
            char c = lines.charAt(i);
            boolean further = i > 0 && lines.charAt(i - 1) == '\n';
            indented.append(further && !Character.isWhitespace(c) ? "    " : "").append(c);
        }
        return indented.toString();
    }

    private static String escaped(String text, boolean lines) {
        int first = 0;
        while (first < text.length() && !isEscaped(text.charAt(first), lines)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isEscaped(c, lines)) {
                escaped.append(c);
                continue;
            }
            switch (c) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> escaped.append("\\u").append(String.format("%04x", (int) c));
            }
        }
        return escaped.toString();
    }

    private static boolean isEscaped(char c, boolean lines) {
        return isControl(c) && !(lines && (c == '\n' || c == '\t'));
    }

    private static boolean isControl(char c) {
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
