package io.millrace.expression.ir;

import java.util.Locale;

/** Functions from text to text, with the results of the methods of {@link String} in {@link Locale#ROOT}. */
public enum TextMapping {
    UPPER,
    LOWER,
    TRIM;

    public String of(String text) {
        return switch (this) {
            case UPPER -> text.toUpperCase(Locale.ROOT);
            case LOWER -> text.toLowerCase(Locale.ROOT);
            case TRIM -> text.trim();
        };
    }

    /** Returns the name in the text form. */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
