package io.millrace.feed.tcp;

/**
 * Finds where frames end. A frame is a record with what frames it:
 *
 * <pre>
 * | head | record ... | tail | head | record ...
 * </pre>
 *
 * Stateless; allocates nothing but texts about what is wrong.
 */
sealed interface Framer permits FixedLengthFramer, LengthPrefixFramer, DelimiterFramer {

    /** The answer where no frame can have the length that its head says. */
    long WRONG = -1;

    /**
     * How long the frame is that begins at a place, in bytes.
     *
     * @param from its first byte
     * @param to past the last byte that has arrived
     * @param searched how many of its bytes an earlier call has been shown
     * @return its length where that is at most {@code to - from}; else it has not arrived as a whole, and the answer is
     *     how many bytes must have arrived for more to be known; or {@link #WRONG}
     */
    long frameLength(byte[] bytes, int from, int to, int searched);

    /** Bytes before the record. */
    int head();

    /** Bytes behind the record. */
    int tail();

    /** How many bytes to look at together where the end of a frame is searched for. */
    default int readAhead() {
        return 0;
    }

    /**
     * Says how much of a frame has arrived, to stand behind "ended".
     *
     * @param bytes hold the frame's beginning at index 0
     * @param have how many of its bytes have arrived, less than all
     */
    String describeCut(byte[] bytes, int have);
}
