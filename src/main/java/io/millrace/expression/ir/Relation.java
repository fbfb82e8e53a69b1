package io.millrace.expression.ir;

import java.util.Locale;

/** The relations of two values. */
public enum Relation {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE;

    /** Returns the relation that holds for {@code (b, a)} exactly if this one holds for {@code (a, b)}. */
    public Relation flipped() {
        return switch (this) {
            case EQ, NE -> this;
            case LT -> GT;
            case LE -> GE;
            case GT -> LT;
            case GE -> LE;
        };
    }

    /** Returns the relation that holds exactly if this one does not, for ordered values. */
    public Relation negated() {
        return switch (this) {
            case EQ -> NE;
            case NE -> EQ;
            case LT -> GE;
            case LE -> GT;
            case GT -> LE;
            case GE -> LT;
        };
    }

    /** Returns whether this relation holds for two values whose comparison gave this number. */
    public boolean holds(int comparison) {
        return switch (this) {
            case EQ -> comparison == 0;
            case NE -> comparison != 0;
            case LT -> comparison < 0;
            case LE -> comparison <= 0;
            case GT -> comparison > 0;
            case GE -> comparison >= 0;
        };
    }

    /** Returns the operator of expressions. */
    public String symbol() {
        return switch (this) {
            case EQ -> "==";
            case NE -> "!=";
            case LT -> "<";
            case LE -> "<=";
            case GT -> ">";
            case GE -> ">=";
        };
    }

    /** Returns the name in the text form. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
