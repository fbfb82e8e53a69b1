package io.millrace.expression;

import io.millrace.regex.RandomPatterns;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random rules on texts, and records to go with them. The characters are those that are known for trouble: letters that
 * change their length with their case, or have three cases, pairs of surrogates and what UTF-16 orders after them.
 */
final class RandomTexts {

    private static final List<String> ASCII = List.of("a", "b", "A", "B", "k", "S", "i", " ", ".", "ab", "aB");
    private static final List<String> LATIN1 = List.of("\u00DF", "\u00FF", "\u00E9", "\u00C9", "\u00B5");
    private static final List<String> OTHERS = List.of(
            "\u0130",
            "\u0131",
            "\u017F",
            "\u212A",
            "\u03A3",
            "\u03C3",
            "\u03C2",
            "\u0149",
            "\uFB03",
            "\u0301",
            "\uE000",
            "\uFFFD",
            "\uD83D\uDE00",
            "\uD801\uDC00",
            "\uD801\uDC28",
            "\u1E9E");

    private static final List<String> PATTERNS =
            List.of("[a-zA-Z]*", ".*b.*", "(a|B)+.?", "", "[^a]{2,5}", "\\p{L}*", "..");

    /** No pairs of surrogates: a name is cut apart without a word about them. */
    private static final Dictionary NAMES =
            Dictionary.of("aB", "", "ab", "Stra\u00DFe", " a", "\u03A3", "i\u0130k", "AB", "\uFB03");

    private static final List<Charset> CHARSETS =
            List.of(StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8);

    private final Random random;
    private final Schema schema;

    RandomTexts(Random random) {
        this.random = random;
        this.schema = schema(random);
    }

    Schema schema() {
        return schema;
    }

    private static Schema schema(Random random) {
        List<Field> fields = new ArrayList<>();
        IntStorage code = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);
        fields.add(Field.of("t0", new FieldType.EnumType(code, NAMES), 0));
        fields.add(Field.of("t1", new FieldType.EnumType(code, NAMES), 1).asOptional(255));
        fields.add(Field.of("n", new FieldType.IntegerType(code), 2).asOptional(255));
        int at = 3;
        for (int i = 2; i < 7; i++) {
            FieldType type = new FieldType.StringType(
                    1 + random.nextInt(i < 5 ? 12 : 40),
                    CHARSETS.get(i == 2 ? 2 : random.nextInt(3)),
                    random.nextBoolean() ? (byte) ' ' : 0);
            Field field = Field.of("t" + i, type, at);
            fields.add(random.nextBoolean() ? field.asOptional(0) : field);
            at = field.end();
        }
        return new Schema("texts", at, fields, List.of());
    }

    Map<String, @Nullable Object> row() {
        Map<String, @Nullable Object> row = new HashMap<>();
        for (Field field : schema.fields()) {
            row.put(field.name(), field.optional() && random.nextInt(6) == 0 ? null : value(field));
        }
        return row;
    }

    private Object value(Field field) {
        return switch (field.type()) {
            case FieldType.EnumType(var ignoredStorage, var dictionary) ->
                List.copyOf(dictionary.namesByCode().values()).get(random.nextInt(dictionary.lastCode() + 1));
            case FieldType.StringType(int width, var charset, var ignoredPad) -> characters(width, charset);
            default -> (long) random.nextInt(4);
        };
    }

    /** Mostly ASCII, so that many texts meet. */
    private String characters(int width, Charset charset) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            String next = character();
            boolean fits = charset.newEncoder().canEncode(next) && (text + next).getBytes(charset).length <= width;
            text.append(fits ? next : "");
        }
        return text.toString();
    }

    private String character() {
        List<String> from = switch (random.nextInt(8)) {
            case 0 -> LATIN1;
            case 1, 2 -> OTHERS;
            default -> ASCII;
        };
        return from.get(random.nextInt(from.size()));
    }

    String condition() {
        return switch (random.nextInt(15)) {
            case 14 -> target() + (random.nextBoolean() ? ".isBlank()" : ".trim().blank");
            case 13 -> target() + " matches '" + pattern().replace("'", "''") + "'";
            case 0 -> target() + ".startsWith(" + text(1) + ")";
            case 1 -> target() + ".endsWith(" + text(1) + ")";
            case 2 -> target() + ".contains(" + text(1) + ")";
            case 3 -> target() + ".equalsIgnoreCase(" + text(1) + ")";
            case 4 -> target() + ".equals(" + text(1) + ")";
            case 5 -> target() + (random.nextBoolean() ? ".isEmpty()" : ".empty");
            case 6 -> text(2) + (random.nextBoolean() ? " == null" : " != null");
            case 7 -> text(1) + " between {" + text(0) + ", " + text(0) + "}";
            case 8 ->
                "{" + constant() + ", " + constant() + ", " + (random.nextBoolean() ? constant() : text(0))
                        + "}.contains(" + text(2) + ")";
            case 9 -> number() + relation() + (random.nextBoolean() ? random.nextInt(4) - 1 : number());
            case 10 -> "!(" + condition() + ") and " + condition();
            default -> text(2) + relation() + text(2);
        };
    }

    /** Mostly simple ones: those match more texts, and the others, which have tests of their own, take long. */
    private String pattern() {
        return random.nextInt(8) == 0
                ? new RandomPatterns(random, StandardCharsets.US_ASCII).next().regex()
                : PATTERNS.get(random.nextInt(PATTERNS.size()));
    }

    private String relation() {
        return List.of(" == ", " != ", " < ", " <= ", " > ", " >= ").get(random.nextInt(6));
    }

    private String number() {
        return switch (random.nextInt(3)) {
            case 0 -> target() + ".length()";
            case 1 -> target() + ".indexOf(" + text(1) + ")";
            default -> "(" + text(1) + "?.length() ?: 7)";
        };
    }

    /** A text that has methods, which stock SpEL does not grant to null. */
    private String target() {
        return text(2);
    }

    /** A text by itself. */
    String text(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return random.nextInt(4) == 0 ? constant() : "t" + random.nextInt(7);
        }
        String inner = text(depth - 1);
        String dot = random.nextInt(4) == 0 ? "?." : ".";
        return switch (random.nextInt(9)) {
            // Stock SpEL joins null as a text.
            case 7 -> "((" + inner + " ?: '') + (" + text(depth - 1) + " ?: " + constant() + "))";
            case 8 -> inner + dot + "replace('" + replaced() + "', " + constant() + ")";
            case 0 -> inner + dot + "toUpperCase()";
            case 1 -> inner + dot + "toLowerCase()";
            case 2 -> inner + dot + "trim()";
            case 3 -> inner + dot + "substring(" + index() + ")";
            case 4 -> inner + dot + "substring(" + index() + ", " + index() + ")";
            case 5 -> "(" + inner + " ?: " + text(0) + ")";
            default -> "(n > 1 ? " + inner + " : " + (random.nextInt(5) == 0 ? "null" : text(depth - 1)) + ")";
        };
    }

    private String replaced() {
        String text = characters(4, StandardCharsets.UTF_8);
        return text.isEmpty() ? "a" : text;
    }

    private String index() {
        return random.nextInt(3) == 0 ? "n" : Integer.toString(random.nextInt(3));
    }

    private String constant() {
        return "'" + characters(8, StandardCharsets.UTF_8) + "'";
    }
}
