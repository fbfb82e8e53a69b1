package io.millrace.background;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Reads percentages from 0% to 100%. */
public final class Percentage {

    private static final Pattern FORM = Pattern.compile("\\d{1,3}(\\.\\d{1,9})?%");

    private Percentage() {}

    /** Returns the fraction from 0 to 1 of a text such as {@code 1.5%}, or empty if it is not a valid percentage. */
    public static OptionalDouble parse(String text) {
        if (FORM.matcher(text).matches()) {
            double fraction = Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
            if (fraction <= 1) {
                return OptionalDouble.of(fraction);
            }
        }
        return OptionalDouble.empty();
    }
}
