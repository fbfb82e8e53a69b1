package io.millrace.codec;

import org.apiguardian.api.API;

/**
 * The reason why a record could not be processed.
 *
 * @param kind kind for counters; few kinds, none of which contains a record's values
 * @param detail message to show: field, value, expectation; control characters are escaped, since values come from
 *     outside and the message reaches logs and terminals
 */
@API(status = API.Status.STABLE)
public record RejectReason(Kind kind, String detail) {

    public RejectReason {
        detail = ControlCharacters.escaped(detail);
    }

    /** The kinds of rejects, which are counted separately. */
    public enum Kind {
        /** A record that is incomplete because the feed ended. */
        TRUNCATED,
        /** Bytes that are not a valid value of their field's type, such as a code without a name. */
        INVALID_VALUE,
        /** An expression without a result for this record, such as a division by zero. */
        EXPRESSION,
        /** A computed value that its field cannot hold. */
        OUT_OF_RANGE,
        /** A key that the table does not contain. */
        NO_MATCH;

        /** Returns the name in metrics and JSON: lower case with dashes. */
        public String tag() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
