package io.millrace.expression.ir;

import java.util.Locale;

/** What a text can be asked about another one, each as the method of {@link String} does. */
public enum TextTest {
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    /** The other one may be absent, and then is not the same. */
    SAME_IN_ANY_CASE;

    public boolean holds(String text, String other) {
        return switch (this) {
            case STARTS_WITH -> text.startsWith(other);
            case ENDS_WITH -> text.endsWith(other);
            case CONTAINS -> text.contains(other);
            case SAME_IN_ANY_CASE -> text.equalsIgnoreCase(other);
        };
    }

    /** As in the text form. */
    String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
