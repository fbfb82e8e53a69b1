package io.millrace.feed.tcp;

import java.nio.ByteOrder;

/** How the bytes of a connection are cut into records. */
public sealed interface Framing {

    /** The widest number that says a length, in bytes. */
    int WIDEST_LENGTH = 4;

    /** Records back to back, all of one length. */
    record Fixed() implements Framing {}

    /**
     * Before each record a number says how long it is.
     *
     * @param width bytes of that number: 1, 2 or 4
     * @param order its byte order
     * @param countsItself whether the number counts its own bytes too
     */
    record LengthPrefixed(int width, ByteOrder order, boolean countsItself) implements Framing {

        public LengthPrefixed {
            if (width < 1 || width == 3 || width > WIDEST_LENGTH) {
                throw new IllegalArgumentException("width=" + width + " is none of 1, 2, 4");
            }
        }
    }

    /**
     * Behind each record stands a delimiter, which must not occur inside one.
     *
     * @param delimiter one byte or more; not to be changed
     */
    record Delimited(byte[] delimiter) implements Framing {

        public Delimited {
            if (delimiter.length == 0) {
                throw new IllegalArgumentException("the delimiter is empty");
            }
        }
    }

    /**
     * What finds the frames.
     *
     * @param recordLength in bytes, 0 where records vary, which goes with all but {@link Fixed}
     */
    default Framer framer(int recordLength) {
        return switch (this) {
            case Fixed ignored -> new FixedLengthFramer(recordLength);
            case LengthPrefixed prefixed -> new LengthPrefixFramer(prefixed);
            case Delimited delimited -> new DelimiterFramer(delimited.delimiter());
        };
    }
}
