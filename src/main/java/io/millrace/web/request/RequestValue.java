package io.millrace.web.request;

import io.millrace.schema.NumberText;
import java.util.Locale;

/** Reads numbers and truth values in parameters and paths of requests. */
public final class RequestValue {

    private RequestValue() {}

    /**
     * Returns the whole number in a text.
     *
     * @param parameter name of the parameter
     * @param code code of the error
     * @throws ApiException if the text is not a whole number
     */
    public static long number(String parameter, String text, ApiErrorCode code) {
        try {
            return parse(text.strip());
        } catch (NumberFormatException _) {
            throw invalid(parameter, text, "a whole number", code);
        }
    }

    private static long parse(String text) {
        return Long.parseLong(NumberText.isWhole(text) ? text : "");
    }

    /**
     * Returns the whole number in a text, which is between two others or one of them.
     *
     * @param parameter name of the parameter of a query
     * @throws ApiException if the text is not such a number
     */
    public static int between(String parameter, String text, int min, int max) {
        try {
            long value = parse(text.strip());
            if (value >= min && value <= max) {
                return (int) value;
            }
        } catch (NumberFormatException _) {
            // The same error as for other numbers.
        }
        throw invalid(parameter, text, min + " to " + max, ApiErrorCode.BAD_QUERY);
    }

    /**
     * Returns the truth value in a text, in the forms that Spring's conversion accepts.
     *
     * @param parameter name of the parameter
     * @throws ApiException if the text is not a truth value
     */
    public static boolean flag(String parameter, String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes", "1" -> true;
            case "false", "off", "no", "0" -> false;
            default -> throw invalid(parameter, text, "true or false", ApiErrorCode.BAD_REQUEST);
        };
    }

    private static ApiException invalid(String parameter, String text, String allowed, ApiErrorCode code) {
        return new ApiException(code, "Invalid " + parameter + " '" + text + "'. Use " + allowed + ".");
    }
}
