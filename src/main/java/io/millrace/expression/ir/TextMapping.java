package io.millrace.expression.ir;

import java.util.Locale;

/** What makes a text of a text, each as the method of {@link String} does; letters as in {@link Locale#ROOT}. */
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

    /** As in the text form. */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
