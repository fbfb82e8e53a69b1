package io.millrace.model.sample;

import io.millrace.model.ModelField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the texts of a field have in common. Keeps a limited number of distinct texts. Not thread-safe. */
final class TextStatistics {

    /** Maximum number of distinct texts that are counted. */
    static final int MAX_DISTINCT = 256;

    /** Longer texts are not names of a dictionary. */
    private static final int MAX_NAME = 40;

    /** Maximum number of names of a dictionary, and number of values that each must have on average. */
    private static final int MAX_NAMES = 64;

    private static final int MIN_VALUES = 20;
    private static final int VALUES_PER_NAME = 10;

    /** Texts that take one byte in a compact record. */
    private static final int MAX_FREQUENT = 127;

    private static final int VALUES_PER_FREQUENT = 4;

    private static final int SMALLEST_TEXT = 16;

    /** The largest text that a field holds. */
    static final int MAX_TEXT = 1 << 20;

    private @Nullable Map<String, Integer> distinct = new HashMap<>();
    private long count;
    private boolean ascii = true;
    private boolean names = true;
    private boolean endsInNul;
    private boolean endsInSpace;
    private int shortest = Integer.MAX_VALUE;
    private int longest;

    /** Takes a text. */
    void see(String text) {
        count++;
        int length = utf8(text);
        ascii &= length == text.length();
        shortest = Math.min(shortest, length);
        longest = Math.max(longest, length);
        endsInNul |= text.endsWith("\0");
        endsInSpace |= text.endsWith(" ");
        names &= isName(text);
        if (distinct != null) {
            if (text.length() <= MAX_NAME) {
                distinct.merge(text, 1, Integer::sum);
            }
            if (text.length() > MAX_NAME || distinct.size() > MAX_DISTINCT) {
                distinct = null;
            }
        }
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_NAME
                && text.strip().length() == text.length()
                && text.chars().noneMatch(Character::isISOControl);
    }

    /** Returns the length in UTF-8; one byte for each half of a pair that is broken. */
    private static int utf8(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return length;
    }

    /** Returns the length of the longest text in bytes. */
    int longest() {
        return longest;
    }

    /** Returns whether few texts occur often, as the names of a dictionary do. */
    boolean isDictionary() {
        return distinct != null
                && names
                && count >= MIN_VALUES
                && distinct.size() <= MAX_NAMES
                && count >= (long) VALUES_PER_NAME * distinct.size();
    }

    /** Returns the field of a {@linkplain #isDictionary() dictionary}. */
    ModelField dictionary(String name) {
        List<String> values =
                Objects.requireNonNull(distinct).keySet().stream().sorted().toList();
        return ModelField.of(name, "enum").with("values", values).comment(known() + " in " + count);
    }

    /** Returns the field of texts. */
    ModelField text(String name, boolean fixed) {
        ModelField field = ModelField.of(name, "string");
        boolean same = shortest == longest && longest > 0 && count >= MIN_VALUES;
        field.with("length", length());
        if (!ascii) {
            field.with("charset", "utf8");
        }
        if (fixed && (!endsInNul || endsInSpace)) {
            field.with("pad", "zero");
        }
        List<String> frequent = fixed ? List.of() : frequent();
        if (!frequent.isEmpty()) {
            field.with("frequent", frequent);
        }
        return field.comment(known() + (same ? ", all of " : ", longest ") + longest + " bytes");
    }

    /** Returns a power of two that has space for one and a half times the longest text. */
    private int length() {
        long length = SMALLEST_TEXT;
        while (length < longest + longest / 2) {
            length *= 2;
        }
        return (int) Math.min(length, MAX_TEXT);
    }

    private List<String> frequent() {
        if (distinct == null || count < MIN_VALUES || count < (long) VALUES_PER_FREQUENT * distinct.size()) {
            return List.of();
        }
        List<Map.Entry<String, Integer>> texts = new ArrayList<>(distinct.entrySet());
        texts.removeIf(entry -> !isName(entry.getKey()));
        texts.sort(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        return texts.stream().limit(MAX_FREQUENT).map(Map.Entry::getKey).toList();
    }

    /** Returns the number of distinct texts for a comment. */
    String known() {
        if (distinct == null) {
            return longest > MAX_NAME ? "texts" : "more than " + MAX_DISTINCT + " distinct values";
        }
        return distinct.size() == 1 ? "1 distinct value" : distinct.size() + " distinct values";
    }
}
