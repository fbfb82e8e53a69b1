package io.millrace.feed.tcp;

/** Frames records of one fixed length. */
record FixedLengthFramer(int recordLength) implements Framer {

    FixedLengthFramer {
        if (recordLength < 1) {
            throw new IllegalArgumentException("Invalid record length '" + recordLength + "'. Use 1 or more.");
        }
    }

    @Override
    public long frameLength(byte[] bytes, int start, int end, int searched) {
        return recordLength;
    }

    @Override
    public int head() {
        return 0;
    }

    @Override
    public int tail() {
        return 0;
    }

    @Override
    public String describeCut(byte[] bytes, int have) {
        return "after " + have + " of the record's " + recordLength + " bytes";
    }
}
