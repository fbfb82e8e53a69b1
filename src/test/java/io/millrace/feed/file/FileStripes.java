package io.millrace.feed.file;

import io.millrace.feed.Split;

/** The stripes of a file, which may be shorter than those of a file feed. */
public final class FileStripes {

    private final Stripes stripes;

    /** @param stripeBytes length of a stripe */
    public FileStripes(Split split, int recordLength, int stripeBytes) {
        stripes = new Stripes(split, recordLength, stripeBytes);
    }

    /** Returns the first position of the split at or after another one. */
    public long next(long position) {
        return stripes.next(position);
    }

    /** Returns the number of bytes from a position of the split to the end of its stripe. */
    public long remaining(long position) {
        return stripes.remaining(position);
    }
}
