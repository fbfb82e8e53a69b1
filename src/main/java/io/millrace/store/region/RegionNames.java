package io.millrace.store.region;

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
            return "Invalid region name '" + name + "'. Use letters from a to z, digits, and . _ - only, without __ at"
                    + " the beginning.";
        }
        return name.startsWith(PREFIX)
                ? "Invalid region name '" + name + "'. Names that begin with '" + PREFIX + "' are reserved."
                : null;
    }

    /**
     * Requires that a name is valid for a region of records or rejects.
     *
     * @throws IllegalArgumentException with the reason if it is not
     */
    public static void requireValid(String name) {
        String refusal = refusal(name);
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
    }
}
