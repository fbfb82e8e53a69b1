package io.millrace.expression;

/** The functions that stand by themselves: {@code #name(...)}. */
final class Functions {

    private Functions() {}

    /** That there is no such function. */
    static ExpressionException unknown(String name, Place place) {
        return place.error(ErrorCode.NOT_YET, "function #" + name + " can't be used yet", "use operators");
    }
}
