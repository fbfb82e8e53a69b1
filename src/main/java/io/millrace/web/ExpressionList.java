package io.millrace.web;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/** Reads a parameter that is several expressions: given several times, or with commas between them, or both. */
final class ExpressionList {

    private ExpressionList() {}

    /** The expressions of a parameter; commas in brackets and in texts are theirs. Empty ones are left out. */
    static List<String> of(MultiValueMap<String, String> parameters, String name) {
        List<String> expressions = new ArrayList<>();
        for (@Nullable String value : parameters.getOrDefault(name, List.of())) {
            if (value != null) { // null for a parameter without an equals sign
                split(value, expressions);
            }
        }
        return expressions;
    }

    private static void split(String value, List<String> into) {
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
                add(value.substring(from, i), into);
                from = i + 1;
            }
        }
        add(value.substring(from), into);
    }

    private static void add(String expression, List<String> into) {
        if (!expression.isBlank()) {
            into.add(expression.strip());
        }
    }
}
