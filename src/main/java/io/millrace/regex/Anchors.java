package io.millrace.regex;

import java.util.List;

/** Checks that anchors only stand where the whole text begins or ends anyway, so that they have no effect. */
final class Anchors {

    private Anchors() {}

    /**
     * Checks all anchors of a part.
     *
     * @param begins whether the part stands where the whole text begins
     * @param ends whether the part stands where the whole text ends
     * @throws PatternException for an anchor elsewhere
     */
    static void check(Node node, boolean begins, boolean ends) {
        switch (node) {
            case Node.Characters ignored -> {}
            case Node.WordBoundary ignored -> {}
            case Node.Anchor anchor -> {
                if (!(anchor.begins() ? begins : ends)) {
                    throw RegexRefusals.anchor(anchor.index());
                }
            }
            case Node.Choice choice -> choice.options().forEach(option -> check(option, begins, ends));
            case Node.Repeat repeat -> check(repeat.body(), false, false);
            case Node.Sequence sequence -> check(sequence.parts(), begins, ends);
        }
    }

    private static void check(List<Node> parts, boolean begins, boolean ends) {
        int first = 0;
        while (first < parts.size() && parts.get(first) instanceof Node.Anchor) {
            first++;
        }
        int last = parts.size() - 1;
        while (last >= 0 && parts.get(last) instanceof Node.Anchor) {
            last--;
        }
        for (int i = 0; i < parts.size(); i++) {
            check(parts.get(i), begins && i <= first, ends && i >= last);
        }
    }
}
