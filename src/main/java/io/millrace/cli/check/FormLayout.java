package io.millrace.cli.check;

import java.util.ArrayList;
import java.util.List;

/**
 * Breaks the text of a typed form into lines, as Lisp is written: the operands of a part that does not fit on one line
 * are below it, indented. Only whitespace changes.
 */
final class FormLayout {

    private static final String INDENT = "  ";

    private final int width;
    private final List<String> lines = new ArrayList<>();

    private FormLayout(int width) {
        this.width = width;
    }

    /** Returns the form in lines of at most {@code width} characters, unless a single part is longer. */
    static List<String> lines(String form, int width) {
        FormLayout layout = new FormLayout(width);
        layout.write(form, "");
        return layout.lines;
    }

    private void write(String node, String indent) {
        List<String> parts =
                node.startsWith("(") && node.endsWith(")") ? parts(node.substring(1, node.length() - 1)) : List.of();
        int operators = 0;
        while (operators < parts.size() && !parts.get(operators).startsWith("(")) {
            operators++;
        }
        if (indent.length() + node.length() <= width || operators == parts.size()) {
            lines.add(indent + node);
            return;
        }
        lines.add(indent + "(" + String.join(" ", parts.subList(0, operators)));
        for (String operand : parts.subList(operators, parts.size())) {
            write(operand, indent + INDENT);
        }
        lines.add(lines.removeLast() + ")");
    }

    /** Splits at the blanks that are neither in a quoted text nor in parentheses or brackets. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '\'') {
                quoted = !quoted;
            } else if (!quoted && (letter == '(' || letter == '[')) {
                depth++;
            } else if (!quoted && (letter == ')' || letter == ']')) {
                depth--;
            } else if (!quoted && depth == 0 && letter == ' ') {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
