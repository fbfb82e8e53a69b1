package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import java.util.List;

/** A node that computes or tests a text. Immutable. */
public sealed interface TextNode extends Ir {

    /** A node that tests a text. */
    sealed interface Condition extends TextNode, Ir.Condition {}

    /** A name as a text. */
    record NameText(Ir value) implements TextNode, Ir.Conversion {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /**
     * A part of a text, between two indexes in UTF-16 units.
     *
     * @param end exclusive; {@link Ir.Absent} for the end of the text
     */
    record Substring(Ir value, Ir begin, Ir end) implements TextNode, Ir.Computation {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }

        @Override
        public List<Ir> operands() {
            return end instanceof Ir.Absent ? List.of(value, begin) : List.of(value, begin, end);
        }
    }

    /** A text that is mapped to another. */
    record Mapped(TextMapping mapping, Ir value) implements TextNode, Ir.Computation, Ir.Unary {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /** Two texts, one after the other. */
    record Joined(Ir left, Ir right) implements TextNode, Ir.Computation, Ir.Binary {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /**
     * A text in which each occurrence of another is replaced, from left to right.
     *
     * @param target not empty
     */
    record Replaced(Ir value, String target, String replacement) implements TextNode, Ir.Computation, Ir.Unary {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /** The number of UTF-16 units of a text. */
    record TextLength(Ir value) implements TextNode, Ir.Computation, Ir.Unary {
        @Override
        public ValueType type() {
            return Basic.WHOLE;
        }
    }

    /** The number of UTF-16 units before the first occurrence of another text, or -1. */
    record TextIndex(Ir value, Ir sought) implements TextNode, Ir.Computation {
        @Override
        public ValueType type() {
            return Basic.WHOLE;
        }

        @Override
        public List<Ir> operands() {
            return List.of(value, sought);
        }
    }

    /** Whether two texts are equal; an absent text equals another absent text. */
    record SameText(Ir left, Ir right) implements Condition, Ir.Binary {}

    /** A comparison of two texts by UTF-16 units; an absent text equals another absent text and precedes all others. */
    record TextOrder(Relation relation, Ir left, Ir right) implements Condition, Ir.Binary {}

    /** A test of a text, which must not be absent, against another. */
    record TextAnswer(TextRelation test, Ir value, Ir other) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value, other);
        }
    }

    /**
     * Whether a regular expression matches the whole text, which must not be absent.
     *
     * @param regex in the syntax of {@link java.util.regex.Pattern}
     */
    record TextMatch(Ir value, String regex) implements Condition, Ir.Unary {}

    /** Whether a text is one of several; an absent text is not. */
    record TextMembership(Ir value, List<String> members) implements Condition, Ir.Unary {}

    /** Whether a text is empty or absent. */
    record EmptyText(Ir value) implements Condition, Ir.Unary {}
}
