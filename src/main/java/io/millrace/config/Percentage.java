package io.millrace.config;

import io.millrace.feed.FairShare;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads percentages from 0% to 100%. */
final class Percentage {

    private static final Pattern FORM = Pattern.compile("\\d{1,3}(\\.\\d{1,9})?%");

    private Percentage() {}

    /** Returns the fraction from 0 to 1 of a text such as {@code 1.5%}, or empty if it is not a valid percentage. */
    static OptionalDouble parse(String text) {
        if (FORM.matcher(text).matches()) {
            double fraction = Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
            if (fraction <= 1) {
                return OptionalDouble.of(fraction);
            }
        }
        return OptionalDouble.empty();
    }

    /**
     * Returns the share of a text, or a substitute if it is invalid.
     *
     * @param problem receives the error message
     */
    static FairShare share(String text, Consumer<String> problem) {
        double share = parse(text).orElse(0);
        if (share > 0) {
            return new FairShare(share);
        }
        problem.accept("Invalid percentage '" + text
                + "'. Use a number above 0 and up to 100 and a percent sign, such as 75%.");
        return new FairShare(1);
    }
}
