package io.millrace.codec;

/**
 * Why a record could not be processed.
 *
 * @param kind for counting; few, and never holding a record's values
 * @param detail for a person: field, value, what was expected
 */
public record RejectReason(Kind kind, String detail) {

    /** The kinds of rejects that counters tell apart. */
    public enum Kind {
        /** A record that the feed ended in the middle of. */
        TRUNCATED,
        /** Bytes that are no value of their field's type, such as a code that no name stands for. */
        INVALID_VALUE,
        /** An expression that has no result for this record, such as a division by zero. */
        EXPRESSION,
        /** A computed value that its field cannot hold. */
        OUT_OF_RANGE,
        /** A key that the table does not hold. */
        NO_MATCH;

        /** As in metrics and JSON: lower case with dashes. */
        public String tag() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
