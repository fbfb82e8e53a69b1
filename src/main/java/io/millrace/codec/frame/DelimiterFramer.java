package io.millrace.codec.frame;

/** Frames records that each end with a delimiter. */
final class DelimiterFramer implements Framer {

    private static final int READ_AHEAD = 256;

    private final byte[] delimiter;
    private final byte last;

    /** @param delimiter one byte or more; not copied */
    DelimiterFramer(byte[] delimiter) {
        this.delimiter = delimiter;
        this.last = delimiter[delimiter.length - 1];
    }

    @Override
    public long frameLength(byte[] bytes, int start, int end, int searched) {
        int first = start + Math.max(delimiter.length - 1, searched);
        for (int i = first; i < end; i++) {
            if (bytes[i] == last && endsAt(bytes, i)) {
                return i + 1L - start;
            }
        }
        return end - start + 1L;
    }

    private boolean endsAt(byte[] bytes, int end) {
        int start = end - delimiter.length + 1;
        for (int i = 0; i < delimiter.length - 1; i++) {
            if (bytes[start + i] != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int head() {
        return 0;
    }

    @Override
    public int tail() {
        return delimiter.length;
    }

    @Override
    public int readAhead() {
        return READ_AHEAD;
    }

    @Override
    public String describeCut(byte[] bytes, int have) {
        return "after " + have + " bytes without a delimiter";
    }
}
