package io.millrace.codec;

/**
 * Escapes the characters of a text from outside that would end a line of a log, or that a terminal would execute or
 * reorder: controls, line and paragraph separators, and controls of the writing direction. Stateless.
 */
public final class ControlCharacters {

    private ControlCharacters() {}

    /** Returns a text with such characters as in Java, such as {@code \\u001b}; the same text if it has none. */
    public static String escaped(String text) {
        int first = 0;
        while (first < text.length() && !isControl(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    if (isControl(c)) {
                        escaped.append("\\u").append(String.format("%04x", (int) c));
                    } else {
                        escaped.append(c);
                    }
                }
            }
        }
        return escaped.toString();
    }

    private static boolean isControl(char c) {
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
