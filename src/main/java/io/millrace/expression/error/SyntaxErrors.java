package io.millrace.expression.error;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelParseException;

/** Describes what Spring's parser does not accept, with hints for habits from SQL and other languages. Stateless. */
public final class SyntaxErrors {

    private static final Pattern WORD = Pattern.compile("\\w+|.", Pattern.DOTALL);
    private static final Pattern ENDS_WITH_NEW = Pattern.compile("\\b(?i:new)$");
    private static final String NO_SEPARATORS = "write numbers without separators, and with a decimal point: 1000000.5";
    private static final String CHOICE = "write: condition ? value : other";

    /** What stands where an operator is expected. */
    private static final Map<String, String> UNEXPECTED = Map.ofEntries(
            Map.entry("like", "use .startsWith('a'), .contains('a') or matches with a regular expression"),
            Map.entry("in", "write: {'a', 'b'}.contains(field)"),
            Map.entry("not", "write not before the condition: not {'a', 'b'}.contains(field)"),
            Map.entry("is", "write: field == null, or field != null"),
            Map.entry("when", CHOICE),
            Map.entry("then", CHOICE),
            Map.entry("&", "write: and"),
            Map.entry("|", "write: or"),
            Map.entry(",", NO_SEPARATORS),
            Map.entry("'", NO_SEPARATORS),
            Map.entry(")", "remove it, or add the opening one"));

    private static final Map<String, String> CHARACTERS = Map.of(
            ";", "remove it",
            "‘", "write texts in straight quotes: 'text'",
            "’", "write texts in straight quotes: 'text'",
            "“", "write texts in straight quotes: 'text'",
            "”", "write texts in straight quotes: 'text'",
            "|", "write: or",
            "~", "use matches with a regular expression");

    private SyntaxErrors() {}

    public static ExpressionException of(String expression, ParseException e) {
        Place place = new Place(expression, Math.max(0, e.getPosition()));
        SpelMessage code = e instanceof SpelParseException spel
                ? spel.getMessageCode()
                : SpelMessage.EXCEPTION_DURING_PROPERTY_READ;
        String word = wordAt(expression, place.position());
        return switch (code) {
            case MORE_INPUT ->
                error(
                        place,
                        "unexpected '" + word + "'",
                        word.startsWith("_")
                                ? NO_SEPARATORS
                                : UNEXPECTED.getOrDefault(word.toLowerCase(Locale.ROOT), ""));
            case UNSUPPORTED_CHARACTER, UNEXPECTED_ESCAPE_CHAR ->
                character(expression, Math.max(0, place.position() - 1));
            case RIGHT_OPERAND_PROBLEM -> rightOperand(expression, place);
            case OOD -> ended(expression, place);
            case NON_TERMINATING_QUOTED_STRING, NON_TERMINATING_DOUBLE_QUOTED_STRING ->
                error(place, "the quote is not closed", "write a quote within a text twice: 'it''s'");
            case NOT_AN_INTEGER -> error(place, "the number is not valid", "write a space behind it");
            case NOT_A_LONG ->
                error(place, "the number is too large for 64 bits", "the largest is 9223372036854775807");
            case NOT_EXPECTED_TOKEN ->
                error(
                        place,
                        "unexpected '" + word + "'",
                        expression.contains("[") ? "write lists in braces: {5, 10}" : "close the bracket before it");
            default -> error(place, "the expression is not valid", "");
        };
    }

    private static ExpressionException error(Place place, String problem, String hint) {
        return place.error(ErrorCode.SYNTAX, problem, hint);
    }

    /** The parser has read it already. */
    private static ExpressionException character(String expression, int position) {
        String character = wordAt(expression, position);
        return error(
                new Place(expression, position),
                "unexpected character '" + character + "'",
                CHARACTERS.getOrDefault(character, ""));
    }

    private static ExpressionException rightOperand(String expression, Place place) {
        int at = place.position();
        if (expression.startsWith("<>", at)) {
            return error(place, "unknown operator '<>'", "write: !=");
        }
        if (expression.startsWith("===", at) || expression.startsWith("!==", at)) {
            return error(place, "unknown operator '" + expression.substring(at, at + 3) + "'", "write: == or !=");
        }
        return error(place, "there is nothing valid to the right of '" + operatorAt(expression, at) + "'", "");
    }

    /** The parser reads {@code new} in any case as the beginning of a constructor. */
    private static ExpressionException ended(String expression, Place place) {
        Matcher keyword = ENDS_WITH_NEW.matcher(expression.strip());
        return keyword.find()
                ? error(place, "'" + keyword.group() + "' is a keyword", "quote texts: '" + keyword.group() + "'")
                : error(place, "the expression ends too early", "close all brackets");
    }

    private static String wordAt(String expression, int position) {
        Matcher word = WORD.matcher(expression);
        return word.find(Math.clamp(position, 0, expression.length())) ? word.group() : "";
    }

    private static String operatorAt(String expression, int position) {
        String word = wordAt(expression, position);
        boolean wide = expression.startsWith("=", position + 1);
        return wide ? word + "=" : word;
    }
}
