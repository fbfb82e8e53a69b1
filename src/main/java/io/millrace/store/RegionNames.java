package io.millrace.store;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for region names. */
public final class RegionNames {

    /** Prefix of the names of Millrace's internal regions. */
    private static final String PREFIX = "millrace-";

    /** Geode's rules, without the characters that would have to be encoded in a URL. */
    private static final Pattern VALID = Pattern.compile("(?!__)[A-Za-z0-9._-]+");

    private RegionNames() {}

    /** Returns why a name is invalid for a region of records or rejects; null if it is valid. */
    public static @Nullable String refusal(String name) {
        if (!VALID.matcher(name).matches()) {
            return "region=" + name + " is no name for a region: it takes the letters a to z in either case, digits,"
                    + " and . _ - but no two _ at its beginning";
        }
        return name.startsWith(PREFIX)
                ? "region=" + name + " begins with " + PREFIX + " as Millrace's own regions do: give it another name"
                : null;
    }

    /**
     * Requires that a name is valid for a region of records or rejects.
     *
     * @throws IllegalArgumentException with the reason if it is not
     */
    public static void requireGood(String name) {
        String refusal = refusal(name);
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
    }
}
