package io.millrace.measure.plan;

import io.millrace.schema.NearestName;
import java.util.ArrayList;
import java.util.List;

/**
 * The parsed text of a value: the aggregates that it uses, and the formula over them, in which a placeholder stands for
 * each aggregate. A placeholder is as long as the text that it replaces, so that a position in the formula is the same
 * position in the text.
 *
 * @param text the text as configured
 * @param formula the formula with placeholders
 * @param calls the aggregates, in order
 */
record ValueText(String text, String formula, List<Call> calls) {

    static final List<String> AGGREGATES = List.of("count", "sum", "min", "max", "avg", "rate", "distinct", "quantile");
    private static final String KNOWN = String.join(", ", AGGREGATES) + ".";

    /**
     * A call of an aggregate function.
     *
     * @param function name of the function
     * @param argument text between the parentheses
     * @param text the whole call
     * @param name the placeholder in the formula, which cannot be the name of a field
     */
    record Call(String function, String argument, String text, String name) {}

    /** Returns whether the value is a single aggregate without a formula. */
    boolean plain() {
        return calls.size() == 1 && formula.strip().equals(calls.getFirst().name());
    }

    /** Replaces the placeholders in a message about the formula with the configured text. */
    String restored(String message) {
        String restored = message;
        for (Call call : calls) {
            restored = restored.replace(call.name(), call.text());
        }
        return restored;
    }

    /**
     * Parses a value.
     *
     * @param numbered number of placeholders in use already
     * @throws IllegalArgumentException if the text contains no aggregate or an unknown one
     */
    static ValueText parse(String text, int numbered) {
        StringBuilder formula = new StringBuilder();
        List<Call> calls = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char letter = text.charAt(at);
            int end = at + 1;
            if (letter == '\'') {
                end = endOfText(text, at);
            } else if (Character.isJavaIdentifierStart(letter)) {
                end = endOfName(text, at);
                int bracket = skipBlanks(text, end);
                if (bracket < text.length() && text.charAt(bracket) == '(' && startsAggregate(text, at)) {
                    int close = closing(text, bracket);
                    Call call = call(text, at, end, bracket, close, numbered + calls.size());
                    calls.add(call);
                    formula.append(call.name());
                    at = close + 1;
                    continue;
                }
            }
            formula.append(text, at, end);
            at = end;
        }
        if (calls.isEmpty()) {
            throw new IllegalArgumentException("Missing aggregate function in '" + text + "'. Use one of: " + KNOWN);
        }
        return new ValueText(text, formula.toString(), List.copyOf(calls));
    }

    private static Call call(String text, int at, int end, int bracket, int close, int number) {
        String function = text.substring(at, end);
        if (!AGGREGATES.contains(function)) {
            throw new IllegalArgumentException("Unknown aggregate function '" + function + "' in '" + text + "'"
                    + NearestName.hint(function, AGGREGATES) + " Use one of: " + KNOWN);
        }
        String whole = text.substring(at, close + 1);
        String name = "$" + number;
        return new Call(
                function,
                text.substring(bracket + 1, close).strip(),
                whole,
                name + "_".repeat(Math.max(0, whole.length() - name.length())));
    }

    /**
     * Returns whether a name starts an aggregate: it is neither a method of a value nor a function of the application.
     */
    private static boolean startsAggregate(String text, int at) {
        int before = at - 1;
        while (before >= 0 && Character.isWhitespace(text.charAt(before))) {
            before--;
        }
        return before < 0 || (text.charAt(before) != '.' && text.charAt(before) != '#');
    }

    private static int endOfName(String text, int at) {
        int end = at;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static int skipBlanks(String text, int at) {
        int next = at;
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return next;
    }

    private static int endOfText(String text, int at) {
        int end = text.indexOf('\'', at + 1);
        return end < 0 ? text.length() : end + 1;
    }

    private static int closing(String text, int bracket) {
        int depth = 0;
        int at = bracket;
        while (at < text.length()) {
            char letter = text.charAt(at);
            if (letter == '(') {
                depth++;
            } else if (letter == ')' && --depth == 0) {
                return at;
            }
            at = letter == '\'' ? endOfText(text, at) : at + 1;
        }
        throw new IllegalArgumentException("Invalid value '" + text + "'. Close the bracket at " + bracket + ".");
    }
}
