package io.millrace.expression.ir;

import java.util.Locale;

/** What a {@link Fold} computes from the elements that pass its filter. Absent values of elements are skipped. */
public enum FoldKind {
    /** Whether there is an element. */
    ANY(true),
    /** The number of elements. */
    COUNT(true),
    /** The value of the first element; absent if there is none. */
    FIRST(false),
    /** The value of the last element; absent if there is none. */
    LAST(false),
    /** The value of the element after a number of others; absent if there is none. */
    AT(false),
    /** The sum of the values; 0 if there is none. */
    SUM(true),
    /** The smallest value; absent if there is none. NaN is larger than all other doubles. */
    MIN(false),
    /** The largest value; absent if there is none. */
    MAX(false),
    /** The sum of the values divided by their number; absent if there is none. */
    AVG(false);

    private final boolean alwaysResult;

    FoldKind(boolean alwaysResult) {
        this.alwaysResult = alwaysResult;
    }

    /** Returns whether there is a result without elements. */
    boolean hasAlwaysResult() {
        return alwaysResult;
    }

    /** Returns whether the result is the value of one element. */
    public boolean picks() {
        return this == FIRST || this == LAST || this == AT;
    }

    /** Returns whether the result is computed from the values of several elements. */
    public boolean aggregates() {
        return this == SUM || this == MIN || this == MAX || this == AVG;
    }

    /** Returns the name in the text form. */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
