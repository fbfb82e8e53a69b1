package io.millrace.codec.frame;

import java.nio.ByteOrder;

/** The rule that splits bytes, such as those of a connection or a file, into records. */
public sealed interface Framing {

    /** Width of the widest length prefix in bytes. */
    int WIDEST_LENGTH = 4;

    /** Records of one length, back to back. */
    record Fixed() implements Framing {}

    /**
     * Records with a length prefix.
     *
     * @param width of the prefix in bytes: 1, 2 or 4
     * @param order byte order of the prefix
     * @param countsItself whether the length includes the prefix
     */
    record LengthPrefixed(int width, ByteOrder order, boolean countsItself) implements Framing {

        public LengthPrefixed {
            if (width < 1 || width == 3 || width > WIDEST_LENGTH) {
                throw new IllegalArgumentException("Invalid width '" + width + "'. Use 1, 2 or 4.");
            }
        }
    }

    /**
     * Records that each end with a delimiter, which must not occur inside a record.
     *
     * @param delimiter one byte or more; callers must not change it
     */
    record Delimited(byte[] delimiter) implements Framing {

        public Delimited {
            if (delimiter.length == 0) {
                throw new IllegalArgumentException("Empty delimiter. Use at least one byte.");
            }
        }
    }

    /**
     * Returns the framer of this rule.
     *
     * @param recordLength in bytes; 0 if it varies, which {@link Fixed} does not support
     */
    default Framer framer(int recordLength) {
        return switch (this) {
            case Fixed ignored -> new FixedFramer(recordLength);
            case LengthPrefixed(int width, ByteOrder order, boolean countsItself) ->
                new LengthPrefixFramer(width, order, countsItself);
            case Delimited delimited -> new DelimiterFramer(delimited.delimiter());
        };
    }
}
