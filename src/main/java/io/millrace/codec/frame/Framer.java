package io.millrace.codec.frame;

import org.apiguardian.api.API;

/**
 * Finds the ends of frames. A frame is a record with its head and tail:
 *
 * <pre>
 * | head | record ... | tail | head | record ...
 * </pre>
 *
 * Implementations are stateless, and allocate only error texts.
 */
@API(status = API.Status.STABLE)
public interface Framer {

    /** Returned for a head that states an impossible length. */
    long WRONG = -1;

    /**
     * Returns the length of a frame in bytes.
     *
     * @param start offset of the frame's first byte
     * @param end offset after the last byte received
     * @param searched number of the frame's bytes that an earlier call has searched
     * @return the frame's length if it is at most {@code end - start}; else the number of bytes needed to find out
     *     more, as the frame is incomplete; or {@link #WRONG}
     */
    long frameLength(byte[] bytes, int start, int end, int searched);

    /** Returns the number of bytes before the record. */
    int head();

    /** Returns the number of bytes after the record. */
    int tail();

    /** Returns the number of bytes to read at a time while searching for the end of a frame. */
    default int readAhead() {
        return 0;
    }

    /**
     * Describes how much of a frame has arrived, as a phrase that follows "ended".
     *
     * @param bytes array with the start of the frame at index 0
     * @param have number of bytes received, fewer than the frame has
     */
    String describeCut(byte[] bytes, int have);
}
