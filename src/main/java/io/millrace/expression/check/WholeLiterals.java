package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import java.math.BigInteger;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.IntLiteral;

/**
 * Whole numbers past 32 bits without an {@code L}, which Spring's parser refuses. The parser gets zeros in their place,
 * and the number is read from the expression, at the place of the node. Stateless.
 */
final class WholeLiterals {

    private static final String HEX = "0x";

    private WholeLiterals() {}

    /** Returns an expression with zeros in place of the digits of whole numbers that do not fit an int. */
    static String masked(String expression) {
        StringBuilder masked = new StringBuilder(expression);
        int at = 0;
        while (at < expression.length()) {
            char c = expression.charAt(at);
            if (c == '\'' || c == '"') {
                int end = expression.indexOf(c, at + 1);
                at = end < 0 ? expression.length() : end + 1;
            } else if (isDigit(c)) {
                int end = endOfWord(expression, at);
                if (isWhole(expression, at, end)
                        && number(expression.substring(at, end)).bitLength() >= Integer.SIZE) {
                    int digits = isHex(expression, at) ? at + HEX.length() : at;
                    masked.replace(digits, end, "0".repeat(end - digits));
                }
                at = endOfExponent(expression, at, end);
            } else {
                at = isWordPart(c) ? endOfWord(expression, at) : at + 1;
            }
        }
        return masked.toString();
    }

    /** Returns the number of a literal as it is written. */
    static BigInteger value(IntLiteral literal, Place place) {
        return number(text(literal, place));
    }

    /** Returns a literal as it is written. */
    static String text(IntLiteral literal, Place place) {
        String expression = place.expression();
        int start = literal.getStartPosition();
        boolean hex = isHex(expression, start);
        int end = hex ? start + HEX.length() : start;
        while (end < expression.length() && isDigit(expression.charAt(end), hex)) {
            end++;
        }
        return expression.substring(start, end);
    }

    /**
     * Returns the number of a literal that fits 64 bits.
     *
     * @throws io.millrace.expression.error.ExpressionException if it does not
     */
    static long whole(IntLiteral literal, Place place) {
        BigInteger value = value(literal, place);
        if (value.bitLength() >= Long.SIZE) {
            throw new Place(place.expression(), literal.getStartPosition())
                    .error(
                            ErrorCode.SYNTAX,
                            "the number is too large for 64 bits",
                            "the largest is 9223372036854775807; a u64 field can be compared with larger ones");
        }
        return value.longValueExact();
    }

    /** Returns whether a node is a whole number that does not fit 64 bits with a sign. */
    static boolean isHuge(SpelNode node, Place place) {
        return node instanceof IntLiteral literal && value(literal, place).bitLength() >= Long.SIZE;
    }

    private static BigInteger number(String text) {
        return isHex(text, 0) ? new BigInteger(text.substring(HEX.length()), 16) : new BigInteger(text);
    }

    private static boolean isHex(String text, int at) {
        return text.startsWith(HEX, at) || text.startsWith("0X", at);
    }

    /** Returns the index past the digits, letters and underscores from an index on. */
    private static int endOfWord(String expression, int start) {
        int end = start;
        while (end < expression.length() && isWordPart(expression.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Returns the index past the exponent, if a word is the beginning of a real one whose exponent has a sign. */
    private static int endOfExponent(String expression, int start, int end) {
        char last = expression.charAt(end - 1);
        boolean signed = (last == 'e' || last == 'E')
                && !isHex(expression, start)
                && end < expression.length()
                && (expression.charAt(end) == '+' || expression.charAt(end) == '-');
        return signed ? endOfWord(expression, end + 1) : end;
    }

    /** Returns whether a word is the digits of a whole number, without a suffix, and not the beginning of a real. */
    private static boolean isWhole(String expression, int start, int end) {
        boolean hex = isHex(expression, start);
        int first = hex ? start + HEX.length() : start;
        for (int i = first; i < end; i++) {
            if (!isDigit(expression.charAt(i), hex)) {
                return false;
            }
        }
        boolean fraction =
                end + 1 < expression.length() && expression.charAt(end) == '.' && isDigit(expression.charAt(end + 1));
        boolean isFraction = start > 0 && expression.charAt(start - 1) == '.';
        return first < end && !fraction && !isFraction;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isDigit(char c, boolean hex) {
        return isDigit(c) || (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
    }

    private static boolean isWordPart(char c) {
        return isDigit(c) || Character.isLetter(c) || c == '_' || c == '$';
    }
}
