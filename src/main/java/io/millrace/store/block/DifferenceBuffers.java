package io.millrace.store.block;

/**
 * Two buffers for differences from predictions: one may contain the values to encode while others are tried. Not
 * thread-safe; allocates only to grow.
 */
final class DifferenceBuffers {

    private final long[][] buffers = new long[2][0];
    private int spareIndex;

    /** Returns the buffer that contains nothing that is needed. */
    long[] spare(int length) {
        if (buffers[spareIndex].length < length) {
            buffers[spareIndex] = new long[length];
        }
        return buffers[spareIndex];
    }

    /** Keeps the content of the spare buffer: the other one is spare from now on. */
    void keepSpare() {
        spareIndex = 1 - spareIndex;
    }
}
