package io.millrace.schema;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Suggests known names similar to an unknown one. Stateless. */
public final class NearestName {

    private static final int MAX_SHOWN = 5;

    private NearestName() {}

    /** Returns the known name with the smallest edit distance, or null if none is similar. */
    public static @Nullable String of(String name, Collection<String> known) {
        String nearest = null;
        // About a third of the letters may differ, but never all.
        int limit = 1 + Math.min(name.length() - 1, Math.max(1, (Math.min(name.length(), 11) + 1) / 3));
        for (String candidate : known) {
            if (Math.abs(candidate.length() - name.length()) < limit) {
                int changes = changesInAnyCase(name, candidate);
                if (changes < limit) {
                    nearest = candidate;
                    limit = changes;
                }
            }
        }
        return nearest;
    }

    /** Returns {@code ", did you mean x?"}, or empty text if no name is similar. */
    public static String hint(String name, Collection<String> known) {
        String nearest = of(name, known);
        return nearest == null ? "" : ", did you mean " + nearest + "?";
    }

    /** Returns advice about an unknown name: {@code "did you mean 'x'?"}, or the nearest of the known names. */
    public static String advice(String name, Collection<String> known) {
        String nearest = of(name, known);
        if (nearest != null) {
            return "did you mean '" + nearest + "'?";
        }
        if (known.isEmpty()) {
            return "";
        }
        String shown = known.stream()
                .sorted(Comparator.comparingInt(candidate -> changesInAnyCase(name, candidate)))
                .limit(MAX_SHOWN)
                .collect(Collectors.joining("', '", "there are '", "'"));
        return known.size() <= MAX_SHOWN ? shown : shown + " and " + (known.size() - MAX_SHOWN) + " more";
    }

    private static int changesInAnyCase(String name, String candidate) {
        return changes(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
    }

    private static int changes(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
