package io.millrace.codec.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a whole text into lines by a regular expression: what {@link LineSplitter}, which sees a part of the text at a
 * time, is compared with.
 */
public final class WholeText {

    private static final String VALUE = "(?:\"(?:[^\"]|\"\")*+\"|(?!\")[^,\r\n]*+)";
    private static final Pattern RECORD = Pattern.compile(VALUE + "(?:," + VALUE + ")*+(?=\r\n|\r|\n|$)");
    private static final Pattern TEXT_LINE = Pattern.compile("[^\r\n]*+");
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

    private WholeText() {}

    /**
     * A line that is not empty.
     *
     * @param number number of its first line of text, from 1
     * @param start offset of its first character
     * @param text without its line end
     * @param valid whether its quotes are those of CSV
     */
    public record Line(long number, int start, String text, boolean valid) {}

    /**
     * Returns the lines of a text.
     *
     * @param quotes whether the text is CSV
     */
    public static List<Line> lines(String text, boolean quotes) {
        List<Line> lines = new ArrayList<>();
        long number = 1;
        int at = 0;
        while (at < text.length()) {
            Matcher record = RECORD.matcher(text).region(at, text.length());
            boolean valid = quotes && record.lookingAt() && endsAtLineEnd(text, record.end());
            if (!valid) {
                record = TEXT_LINE.matcher(text).region(at, text.length());
                record.lookingAt();
            }
            String line = text.substring(at, record.end());
            if (!line.isEmpty()) {
                lines.add(new Line(number, at, line, valid || !quotes));
            }
            number += 1 + LINE_END.matcher(line).results().count();
            Matcher end = LINE_END.matcher(text).region(record.end(), text.length());
            at = end.lookingAt() ? end.end() : text.length();
        }
        return lines;
    }

    /** {@code $} also matches before the last line end. */
    private static boolean endsAtLineEnd(String text, int at) {
        return at == text.length() || text.charAt(at) == '\r' || text.charAt(at) == '\n';
    }
}
