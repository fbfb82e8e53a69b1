package io.millrace.regex;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses the syntax of {@link java.util.regex.Pattern}, as far as an automaton can match it. The input is known to be a
 * valid pattern of Java, so the parser need not find every mistake. It refuses all syntax that it does not implement.
 */
final class PatternParser {

    private static final Node EMPTY = new Node.Sequence(List.of());

    private final PatternReader in;
    private final Alphabet alphabet;
    private final CharacterParser characters;
    private boolean ignoreCase;
    private boolean dotAll;

    PatternParser(String regex, Alphabet alphabet) {
        this.in = new PatternReader(regex);
        this.alphabet = alphabet;
        this.characters = new CharacterParser(in, alphabet);
    }

    /** @throws PatternException for unsupported syntax */
    Node parse() {
        Node whole = choice();
        if (in.peek() != PatternReader.END) {
            throw new PatternException(in.index(), "unexpected )", "open the group, or write \\)");
        }
        return whole;
    }

    private Node choice() {
        List<Node> options = new ArrayList<>();
        do {
            options.add(sequence());
        } while (in.skip("|"));
        return options.size() == 1 ? options.getFirst() : new Node.Choice(options);
    }

    private Node sequence() {
        List<Node> parts = new ArrayList<>();
        while (in.peek() != PatternReader.END && !in.at("|") && !in.at(")")) {
            Node part = repeated(part());
            if (!EMPTY.equals(part)) {
                parts.add(part);
            }
        }
        return parts.size() == 1 ? parts.getFirst() : new Node.Sequence(parts);
    }

    private Node part() {
        return switch (in.peek()) {
            case '(' -> group();
            case '.' -> dot();
            case '^', '$' -> anchor();
            case '*', '+', '?', '{' -> throw RegexRefusals.nothingToRepeat(in.index());
            default ->
                in.at("\\A") || in.at("\\z") || in.at("\\Z")
                        ? anchor()
                        : in.at("\\b") || in.at("\\B")
                                ? wordBoundary()
                                : new Node.Characters(characters.read(ignoreCase));
        };
    }

    private Node dot() {
        in.expect(".");
        return new Node.Characters(dotAll ? alphabet.all() : alphabet.dot());
    }

    private Node anchor() {
        int index = in.index();
        in.skip("\\");
        int character = in.take();
        return new Node.Anchor(character == '^' || character == 'A', index);
    }

    private Node wordBoundary() {
        int index = in.index();
        in.skip("\\");
        boolean isBoundary = in.take() == 'b';
        if (isBoundary && in.at("{g}")) {
            throw RegexRefusals.graphemeBoundary(index);
        }
        return new Node.WordBoundary(isBoundary);
    }

    private Node repeated(Node part) {
        int index = in.index();
        int min;
        int max = Node.Repeat.UNBOUNDED;
        if (in.skip("?")) {
            min = 0;
            max = 1;
        } else if (in.skip("*")) {
            min = 0;
        } else if (in.skip("+")) {
            min = 1;
        } else if (in.skip("{")) {
            min = count();
            if (!in.skip(",")) {
                max = min;
            } else if (!in.at("}")) {
                max = count();
            }
            in.expect("}");
        } else {
            return part;
        }
        if (part instanceof Node.Anchor) {
            throw RegexRefusals.nothingToRepeat(index);
        }
        if (in.at("+")) {
            throw RegexRefusals.possessive(in.index());
        }
        in.skip("?");
        if (min > 1 && part.matchesEmpty(true) && !part.matchesEmpty(false)) {
            throw RegexRefusals.repeatedBoundary(index);
        }
        return new Node.Repeat(part, min, max);
    }

    /** Parses a number, which is known to fit an int. */
    private int count() {
        int count = 0;
        while (in.peek() >= '0' && in.peek() <= '9') {
            count = count * 10 + (in.take() - '0');
        }
        return count;
    }

    /** Parses a group, or flags for the rest of the enclosing group, which are an empty part. */
    private Node group() {
        int index = in.index();
        boolean outerIgnoreCase = ignoreCase;
        boolean outerDotAll = dotAll;
        in.expect("(");
        if (in.at("?<=") || in.at("?<!")) {
            throw RegexRefusals.group(index, '<');
        }
        if (in.skip("?<")) {
            groupName();
        } else if (in.skip("?")) {
            setFlags(index);
            if (in.skip(")")) {
                return EMPTY;
            }
            in.expect(":");
        }
        Node body = choice();
        in.expect(")");
        ignoreCase = outerIgnoreCase;
        dotAll = outerDotAll;
        return body;
    }

    private void groupName() {
        while (!in.skip(">")) {
            in.take();
        }
    }

    private void setFlags(int index) {
        boolean on = true;
        while (!in.at(":") && !in.at(")")) {
            int flag = in.take();
            switch (flag) {
                case '-' -> on = false;
                case 'i' -> ignoreCase = on;
                case 's' -> dotAll = on;
                default -> throw RegexRefusals.group(index, flag);
            }
        }
    }
}
