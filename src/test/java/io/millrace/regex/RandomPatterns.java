package io.millrace.regex;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Regular expressions of all that is supported, with texts made of the same parts. */
public final class RandomPatterns {

    /**
     * A regular expression.
     *
     * @param text makes texts, most of which it matches
     */
    public record Sample(String regex, Supplier<String> text) {}

    private static final String ASCII = "abcxyzABZ0189 _-.+*?()[]{}|^$&\\/\t\n\r\u000B\u001B\u0000";
    private static final String LATIN = ASCII + "\u0085\u00A0\u00E9\u00C9\u00DF\u00B5\u00FF";
    private static final String UNICODE =
            LATIN + "\u0178\u03B1\u0391\u20AC\u2028\u2029\u1680\u3000\uFFFF\u017F\u212A\u4E2D\uE000\uD7FF";
    private static final List<String> PAIRS = List.of("\uD83D\uDE00", "\uD800\uDC00", "\uDBFF\uDFFF", "\uD801\uDC37");
    private static final List<String> SETS =
            List.of("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\h", "\\H", "\\v", "\\V");
    private static final List<String> PROPERTIES = List.of(
            "\\p{Lower}",
            "\\p{Upper}",
            "\\p{Alpha}",
            "\\p{Punct}",
            "\\P{XDigit}",
            "\\p{Lu}",
            "\\pL",
            "\\P{Ll}",
            "\\p{IsAlphabetic}",
            "\\p{javaLowerCase}",
            "\\p{IsLatin}",
            "\\p{InGreek}",
            "\\p{sc=Hani}");

    private final Random random;
    private final Charset charset;

    public RandomPatterns(Random random, Charset charset) {
        this.random = random;
        this.charset = charset;
    }

    /** One with a bound on nesting; a few begin with flags or stand between anchors. */
    public Sample next() {
        Sample body = choice(3);
        return switch (random.nextInt(8)) {
            case 0 ->
                new Sample("(?i)" + body.regex(), () -> otherCase(body.text().get()));
            case 1 -> new Sample("(?s)" + body.regex(), body.text());
            case 2 -> new Sample("^(" + body.regex() + ")$", body.text());
            case 3 -> new Sample("\\A(?:" + body.regex() + ")\\z", body.text());
            default -> body;
        };
    }

    /** A text, changed here and there. */
    String changed(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = random.nextInt(3); i > 0; i--) {
            int at = changed.offsetByCodePoints(0, random.nextInt(changed.codePointCount(0, changed.length()) + 1));
            int end = at == changed.length() || random.nextBoolean() ? at : changed.offsetByCodePoints(at, 1);
            changed.replace(at, end, random.nextBoolean() ? character() : "");
        }
        return changed.toString();
    }

    private Sample choice(int depth) {
        Sample first = sequence(depth);
        if (random.nextInt(4) != 0) {
            return first;
        }
        Sample second = random.nextInt(6) == 0 ? new Sample("", () -> "") : sequence(depth);
        return new Sample(
                first.regex() + "|" + second.regex(),
                () -> (random.nextBoolean() ? first : second).text().get());
    }

    private Sample sequence(int depth) {
        Sample all = repeated(depth);
        for (int i = random.nextInt(4); i > 0; i--) {
            Sample before = all;
            Sample next = repeated(depth);
            all = new Sample(
                    before.regex() + next.regex(),
                    () -> before.text().get() + next.text().get());
        }
        return all;
    }

    private Sample repeated(int depth) {
        Sample part = depth > 0 && random.nextInt(4) == 0 ? group(depth - 1) : atom();
        int min = random.nextInt(3);
        int more = random.nextInt(3);
        String lazy = random.nextInt(4) == 0 ? "?" : "";
        return switch (random.nextInt(12)) {
            case 0 -> times(part, "?" + lazy, 0, 1);
            case 1 -> times(part, "*" + lazy, 0, 3);
            case 2 -> times(part, "+" + lazy, 1, 3);
            case 3 -> times(part, "{" + min + "}" + lazy, min, min);
            case 4 -> times(part, "{" + min + ",}" + lazy, min, min + 2);
            case 5 -> times(part, "{" + min + "," + (min + more) + "}" + lazy, min, min + more);
            default -> part;
        };
    }

    private Sample times(Sample part, String quantifier, int min, int max) {
        return new Sample(part.regex() + quantifier, () -> {
            StringBuilder text = new StringBuilder();
            for (int i = min + random.nextInt(max - min + 1); i > 0; i--) {
                text.append(part.text().get());
            }
            return text.toString();
        });
    }

    private Sample group(int depth) {
        Sample body = choice(depth);
        return switch (random.nextInt(6)) {
            case 0 -> new Sample("(" + body.regex() + ")", body.text());
            case 1 ->
                new Sample(
                        "(?i:" + body.regex() + ")", () -> otherCase(body.text().get()));
            case 2 -> new Sample("(?s-i:" + body.regex() + ")", body.text());
            case 3 ->
                new Sample(
                        "((?i)" + body.regex() + ")",
                        () -> otherCase(body.text().get()));
            default -> new Sample("(?:" + body.regex() + ")", body.text());
        };
    }

    private Sample atom() {
        if (random.nextInt(16) == 0) {
            return random.nextBoolean() ? word() : new Sample(random.nextBoolean() ? "\\b" : "\\B", () -> "");
        }
        return switch (random.nextInt(10)) {
            case 0 -> oneOf(".");
            case 1 -> oneOf(set());
            case 2, 3, 4 -> oneOf(characterClass(2));
            default -> literal();
        };
    }

    /** Words with characters that Java may see as part of one. */
    private Sample word() {
        return new Sample("(?:.*\\b" + (random.nextBoolean() ? ".*)" : ".*\\B.*)"), this::words);
    }

    /** A text of letters, signs and combining marks. */
    String words() {
        List<String> parts = charset.equals(StandardCharsets.UTF_8)
                ? List.of("a", "_", "\u00E9", "\u0301", "\uD801\uDC37", "\uD802\uDE01", "-", "\u0301\u0301")
                : List.of("a", "_", "9", "-", " ");
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(parts.get(random.nextInt(parts.size())));
        }
        return text.toString();
    }

    private Sample literal() {
        String character = character();
        return new Sample(random.nextInt(8) == 0 ? "\\Q" + character + "\\E" : written(character), () -> character);
    }

    /** Something that stands for one character of a set. */
    private Sample oneOf(String regex) {
        Pattern pattern = Pattern.compile(regex);
        return new Sample(regex, () -> {
            String character = character();
            for (int i = 0; i < 20 && !pattern.matcher(character).matches(); i++) {
                character = character();
            }
            return character;
        });
    }

    /** Properties are rare, because they take time. */
    private String set() {
        boolean property = random.nextInt(charset.equals(StandardCharsets.UTF_8) ? 10 : 3) == 0;
        List<String> sets = property ? PROPERTIES : SETS;
        return sets.get(random.nextInt(sets.size()));
    }

    private String characterClass(int depth) {
        StringBuilder regex = new StringBuilder(random.nextInt(3) == 0 ? "[^" : "[").append(items(depth));
        if (random.nextInt(4) == 0) {
            regex.append("&&").append(items(depth));
        }
        return regex.append(']').toString();
    }

    private StringBuilder items(int depth) {
        StringBuilder items = new StringBuilder();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            items.append(
                    switch (random.nextInt(6)) {
                        case 0 -> depth > 0 ? characterClass(depth - 1) : "a";
                        case 1 -> set();
                        case 2, 3 -> range();
                        default -> written(character());
                    });
        }
        return items;
    }

    private String range() {
        String one = character();
        String other = character();
        boolean ordered = one.codePointAt(0) <= other.codePointAt(0);
        return written(ordered ? one : other) + "-" + written(ordered ? other : one);
    }

    private String character() {
        if (charset.equals(StandardCharsets.UTF_8)) {
            return random.nextInt(12) == 0 ? PAIRS.get(random.nextInt(PAIRS.size())) : character(UNICODE);
        }
        return character(charset.equals(StandardCharsets.US_ASCII) ? ASCII : LATIN);
    }

    private String character(String all) {
        // Letters come first, and often, so that parts have some in common.
        return String.valueOf(all.charAt(random.nextInt(random.nextBoolean() ? 9 : all.length())));
    }

    /** One of the ways to write a character. */
    private String written(String character) {
        int codePoint = character.codePointAt(0);
        boolean plain = codePoint >= 0x80 || Character.isLetterOrDigit(codePoint);
        return switch (random.nextInt(10)) {
            case 0 -> "\\x{%x}".formatted(codePoint);
            case 1 -> codePoint < 0x100 ? "\\x%02X".formatted(codePoint) : character;
            case 2 -> codePoint < 0x100 ? "\\0%03o".formatted(codePoint) : character;
            case 3 ->
                character.length() == 1
                        ? "\\u%04x".formatted(codePoint)
                        : "\\u%04x\\u%04x".formatted((int) character.charAt(0), (int) character.charAt(1));
            default -> plain ? character : "\\" + character;
        };
    }

    private String otherCase(String text) {
        return switch (random.nextInt(3)) {
            case 0 ->
                text.chars()
                        .map(c -> c < 0x80 ? Character.toUpperCase(c) : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            case 1 ->
                text.chars()
                        .map(c -> c < 0x80 ? Character.toLowerCase(c) : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            default -> text;
        };
    }
}
