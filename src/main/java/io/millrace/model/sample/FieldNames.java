package io.millrace.model.sample;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Turns the titles of columns into names of fields, each used once. Not thread-safe. */
final class FieldNames {

    private static final Pattern SEPARATORS = Pattern.compile("[^A-Za-z0-9_]+");
    private static final Pattern INITIAL = Pattern.compile("^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]");

    private final Set<String> used = new HashSet<>();

    /** Returns a name for a title: {@code Settlement Date} becomes {@code settlementDate}. */
    String of(String title, int column) {
        StringBuilder name = new StringBuilder();
        for (String word : SEPARATORS.split(title.strip(), -1)) {
            if (!word.isEmpty()) {
                name.append(
                        name.isEmpty()
                                ? lowered(word)
                                : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
            }
        }
        String plain = name.isEmpty() ? "column" + column : name.toString();
        if (Character.isDigit(plain.charAt(0))) {
            plain = "_" + plain;
        }
        String free = plain;
        for (int i = 2; !used.add(free.toLowerCase(Locale.ROOT)); i++) {
            free = plain + "_" + i;
        }
        return free;
    }

    private static String lowered(String word) {
        return INITIAL.matcher(word).replaceFirst(found -> found.group().toLowerCase(Locale.ROOT));
    }
}
