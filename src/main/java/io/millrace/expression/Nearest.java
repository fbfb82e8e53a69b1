package io.millrace.expression;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds what somebody may have meant. */
final class Nearest {

    private static final int SHOWN_MAX = 5;

    private Nearest() {}

    /** "did you mean ...", with the few names that are nearest. */
    static String hint(String name, Collection<String> names) {
        List<String> best = names.stream()
                .sorted(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SHOWN_MAX)
                .toList();
        if (best.isEmpty()) {
            return "";
        }
        if (distance(name, best.getFirst()) <= Math.max(1, name.length() / 3)) {
            return "did you mean '" + best.getFirst() + "'?";
        }
        return "there are " + best.stream().collect(Collectors.joining("', '", "'", "'"))
                + (names.size() > best.size() ? " and " + (names.size() - best.size()) + " more" : "");
    }

    /** How many characters must be inserted, removed or replaced, upper and lower case being the same. */
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
