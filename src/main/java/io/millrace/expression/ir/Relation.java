package io.millrace.expression.ir;

import java.util.Locale;

/** How two values are compared. */
public enum Relation {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE;

    /** The relation that holds for {@code (b, a)} exactly when this one holds for {@code (a, b)}. */
    public Relation flipped() {
        return switch (this) {
            case EQ, NE -> this;
            case LT -> GT;
            case LE -> GE;
            case GT -> LT;
            case GE -> LE;
        };
    }

    /** The relation that holds exactly when this one does not, for values that are ordered. */
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

    /** Whether it holds for two values that compare like this number to zero. */
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

    /** As in the text form. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
