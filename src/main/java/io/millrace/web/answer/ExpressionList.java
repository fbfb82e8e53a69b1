package io.millrace.web.answer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/** Reads a parameter with several expressions: repeated, separated by commas, or both. */
final class ExpressionList {

    private ExpressionList() {}

    /**
     * Returns the expressions of a parameter. Commas in brackets and in string literals do not separate expressions.
     * Empty expressions are left out.
     */
    static List<String> of(MultiValueMap<String, String> parameters, String name) {
        List<String> expressions = new ArrayList<>();
        for (@Nullable String value : parameters.getOrDefault(name, List.of())) {
            if (value != null) { // null for a parameter without an equals sign
                split(value, expressions);
            }
        }
        return expressions;
    }

    private static void split(String value, List<String> expressions) {
        int from = 0;
        int depth = 0;
        boolean text = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\'') {
                text = !text;
            } else if (!text && (c == '(' || c == '[' || c == '{')) {
                depth++;
            } else if (!text && (c == ')' || c == ']' || c == '}')) {
                depth--;
            } else if (!text && depth <= 0 && c == ',') {
                add(value.substring(from, i), expressions);
                from = i + 1;
            }
        }
        add(value.substring(from), expressions);
    }

    private static void add(String expression, List<String> expressions) {
        if (!expression.isBlank()) {
            expressions.add(expression.strip());
        }
    }
}
