package io.millrace.expression.error;

/** The limits of an expression, checked before anything recursive reads it. */
public final class ExpressionLimits {

    /** In characters; as a text of a class file, an expression takes at most three times as many bytes of 65,535. */
    public static final int LENGTH_MAX = 20_000;

    public static final int DEPTH_MAX = 64;
    static final int LIST_MAX = 1024;

    private ExpressionLimits() {}

    /** Refuses a text that is too long, or whose brackets are nested too deeply for the parser's recursion. */
    public static void check(String expression) {
        if (expression.length() > LENGTH_MAX) {
            throw new ExpressionException(
                    ErrorCode.TOO_LARGE,
                    expression.substring(0, 60) + "...",
                    0,
                    "the expression has " + expression.length() + " characters, at most " + LENGTH_MAX + " are allowed",
                    "split it into several filters");
        }
        int depth = 0;
        boolean quoted = false;
        char quote = 0;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (quoted) {
                quoted = c != quote;
            } else if (c == '\'' || c == '"') {
                quoted = true;
                quote = c;
            } else if (c == '(' || c == '[' || c == '{') {
                if (++depth > DEPTH_MAX) {
                    throw tooDeep(new Place(expression, i));
                }
            } else if (c == ')' || c == ']' || c == '}') {
                depth--;
            }
        }
    }

    public static ExpressionException tooDeep(Place place) {
        return place.error(
                ErrorCode.TOO_LARGE,
                "the expression is nested deeper than " + DEPTH_MAX + " levels",
                "split it into several, or name a part of it as a computed field");
    }

    public static void checkList(int size, Place place) {
        if (size > LIST_MAX) {
            throw place.error(
                    ErrorCode.TOO_LARGE,
                    "the list holds " + size + " values, at most " + LIST_MAX + " are allowed",
                    "put them in a table and enrich from it");
        }
    }
}
