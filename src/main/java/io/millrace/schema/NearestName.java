package io.millrace.schema;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Suggests known names similar to an unknown one. Stateless. */
public final class NearestName {

    private static final int MAX_SHOWN = 5;

    /** A letter that is replaced, left out or added is less likely than two neighbours that are swapped. */
    private static final int LETTER = 2;

    private static final int SWAP = 1;

    private NearestName() {}

    /**
     * Returns another known name: the one that takes the fewest changes of a letter or swaps of two, or null if all are
     * too far off to be meant.
     */
    public static @Nullable String of(String name, Collection<String> known) {
        String nearest = null;
        // A third of the letters may be wrong, but never all.
        int limit = LETTER * (1 + Math.min(name.length() - 1, Math.max(1, (Math.min(name.length(), 11) + 1) / 3)));
        for (String candidate : known) {
            if (!candidate.equals(name) && LETTER * Math.abs(candidate.length() - name.length()) < limit) {
                int changes = changesInAnyCase(name, candidate);
                if (changes < limit) {
                    nearest = candidate;
                    limit = changes;
                }
            }
        }
        return nearest;
    }

    /**
     * The end of a sentence on an unknown name: {@code ". Did you mean 'x'?"}, or a full stop where no name is near.
     */
    public static String hint(String name, Collection<String> known) {
        String nearest = of(name, known);
        return nearest == null ? "." : ". Did you mean '" + nearest + "'?";
    }

    /** Returns advice about an unknown name: {@code "did you mean 'x'?"}, or the nearest of the known names. */
    public static String advice(String name, Collection<String> known) {
        String nearest = of(name, known);
        if (nearest != null) {
            return "did you mean '" + nearest + "'?";
        }
        return known.isEmpty() ? "" : "there are " + list(name, known);
    }

    /**
     * Returns advice about an unknown name as a sentence.
     *
     * @param known at least one name
     */
    public static String sentence(String name, Collection<String> known) {
        String nearest = of(name, known);
        return nearest == null ? "Use one of: " + list(name, known) + "." : "Did you mean '" + nearest + "'?";
    }

    private static String list(String name, Collection<String> known) {
        String shown = known.stream()
                .sorted(Comparator.comparingInt(candidate -> changesInAnyCase(name, candidate)))
                .limit(MAX_SHOWN)
                .collect(Collectors.joining("', '", "'", "'"));
        return known.size() <= MAX_SHOWN ? shown : shown + " and " + (known.size() - MAX_SHOWN) + " more";
    }

    private static int changesInAnyCase(String name, String candidate) {
        return changes(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
    }

    /** Letters that are replaced, left out or added, and neighbours that are swapped. */
    private static int changes(String a, String b) {
        int[][] changes = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    changes[i][j] = LETTER * (i + j);
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                int least = Math.min(
                        changes[i - 1][j - 1] + (same ? 0 : LETTER),
                        LETTER + Math.min(changes[i - 1][j], changes[i][j - 1]));
                changes[i][j] = swapped ? Math.min(least, changes[i - 2][j - 2] + SWAP) : least;
            }
        }
        return changes[a.length()][b.length()];
    }
}
