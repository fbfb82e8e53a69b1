package io.millrace.web.request;

import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.convert.DurationStyle;

/** Reads durations in parameters of requests, such as {@code 10s}. */
public final class RequestDuration {

    private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d+");

    private RequestDuration() {}

    /**
     * Returns the duration in a text; 0 needs no unit.
     *
     * @param parameter name of the parameter
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration parse(String parameter, String text) {
        Duration duration;
        try {
            duration = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException _) {
            throw invalid(parameter, text);
        }
        if (WITHOUT_UNIT.matcher(text.strip()).matches() && !duration.isZero()) {
            throw invalid(parameter, text);
        }
        return duration;
    }

    private static IllegalArgumentException invalid(String parameter, String text) {
        return new IllegalArgumentException(
                "Invalid duration '" + text + "' for '" + parameter + "'. Use a number and a unit, such as 10s.");
    }
}
