package io.millrace.schema;

/**
 * Recognizes the texts of numbers: one grammar for all readers of values and schemas. Digits are those of ASCII.
 * Stateless; allocates nothing.
 *
 * <pre>
 * whole  = [ "+" | "-" ] digits
 * number = [ "+" | "-" ] ( digits [ "." [ digits ] ] | "." digits ) [ ( "e" | "E" ) [ "+" | "-" ] digits ]
 * </pre>
 */
public final class NumberText {

    private NumberText() {}

    /** Returns whether a text is a whole number without exponent. */
    public static boolean isWhole(String text) {
        int from = sign(text, 0);
        return from < text.length() && digits(text, from) == text.length();
    }

    /** Returns whether a text is a number, perhaps with decimals and an exponent. */
    public static boolean isNumber(String text) {
        int end = mantissaEnd(text);
        if (end < 0 || end == text.length()) {
            return end > 0;
        }
        if ((text.charAt(end) | 0x20) != 'e') {
            return false;
        }
        int from = sign(text, end + 1);
        return from < text.length() && digits(text, from) == text.length();
    }

    /** Returns whether all digits of a number before its exponent are zero. */
    public static boolean isZero(String number) {
        int end = mantissaEnd(number);
        for (int i = 0; i < end; i++) {
            if (number.charAt(i) >= '1' && number.charAt(i) <= '9') {
                return false;
            }
        }
        return true;
    }

    /** Returns the offset past the digits before an exponent, or -1 if there are none. */
    private static int mantissaEnd(String text) {
        int from = sign(text, 0);
        int whole = digits(text, from);
        boolean point = whole < text.length() && text.charAt(whole) == '.';
        int end = point ? digits(text, whole + 1) : whole;
        int count = end - from - (point ? 1 : 0);
        return count > 0 ? end : -1;
    }

    private static int sign(String text, int at) {
        return at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-') ? at + 1 : at;
    }

    /** Returns the offset past the digits from an offset on. */
    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }
}
