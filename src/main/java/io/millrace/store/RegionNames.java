package io.millrace.store;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What regions may be called. */
public final class RegionNames {

    /** How the names of regions begin in which Millrace keeps what it has to know itself. */
    private static final String OWN = "millrace-";

    /** Geode's rules, without the odd signs that would have to be encoded in a URL. */
    private static final Pattern GOOD = Pattern.compile("(?!__)[A-Za-z0-9._-]+");

    private RegionNames() {}

    /** Why no region of records or of rejects may be called so; null where it may. */
    public static @Nullable String refusal(String name) {
        if (!GOOD.matcher(name).matches()) {
            return "region=" + name + " is no name for a region: it takes the letters a to z in either case, digits,"
                    + " and . _ - but no two _ at its beginning";
        }
        return name.startsWith(OWN)
                ? "region=" + name + " begins with " + OWN + " as Millrace's own regions do: give it another name"
                : null;
    }

    /**
     * Makes sure that a region of records or of rejects may be called so.
     *
     * @throws IllegalArgumentException saying why not
     */
    public static void requireGood(String name) {
        String refusal = refusal(name);
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
    }
}
