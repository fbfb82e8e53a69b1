package io.millrace.expression.ir;

import java.util.Locale;

/** How a text relates to another, with the results of the methods of {@link String}. */
public enum TextRelation {
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    /** The other text may be absent; the result is false then. */
    SAME_IN_ANY_CASE;

    public boolean holds(String text, String other) {
        return switch (this) {
            case STARTS_WITH -> text.startsWith(other);
            case ENDS_WITH -> text.endsWith(other);
            case CONTAINS -> text.contains(other);
            case SAME_IN_ANY_CASE -> text.equalsIgnoreCase(other);
        };
    }

    /** Returns the name in the text form. */
    String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
