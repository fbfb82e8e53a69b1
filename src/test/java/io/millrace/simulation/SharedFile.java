package io.millrace.simulation;

import io.millrace.feed.FeedChangedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The file that all processes read. It grows; for a while it can't be read; or another one takes its place, its first
 * bytes are overwritten, or it is truncated, until it is restored.
 */
final class SharedFile {

    private final Simulation simulation;
    private final byte[] bytes;
    /** Bytes that were written to it so far. */
    private int written;

    private int truncatedLength;
    private Change change = Change.NONE;
    private long failsUntil;
    /** What a feed has done that it may not do; null if nothing. */
    private @Nullable String problem;

    /** What was done to it. */
    private enum Change {
        NONE,
        REPLACED,
        OVERWRITTEN,
        TRUNCATED
    }

    /** @param written number of the bytes that it has at first */
    SharedFile(Simulation simulation, byte[] bytes, int written) {
        this.simulation = simulation;
        this.bytes = bytes;
        this.written = written;
    }

    /** Returns the number of bytes that it has. */
    int length() {
        return change == Change.TRUNCATED ? Math.min(truncatedLength, written) : written;
    }

    byte[] bytes() {
        return bytes;
    }

    byte[] copy(int from) {
        return Arrays.copyOfRange(bytes, from, length());
    }

    void grow(int newLength) {
        written = newLength;
    }

    /** Some of the reads fail for a while. */
    void interrupt(long nanos) {
        failsUntil = simulation.now() + nanos;
    }

    /** Changes it, or restores it. */
    void change() {
        if (change != Change.NONE) {
            change = Change.NONE;
            return;
        }
        change = Change.values()[1 + simulation.random().nextInt(Change.values().length - 1)];
        truncatedLength = simulation.random().nextInt(written + 1);
    }

    /** It can be read, and is what it was. */
    void restore() {
        change = Change.NONE;
        failsUntil = 0;
    }

    /** @throws IOException if it can't be read */
    void requireReadable() throws IOException {
        if (simulation.now() < failsUntil && simulation.oneIn(2)) {
            throw new IOException(simulation.oneIn(2) ? "Stale file handle" : "Input/output error");
        }
    }

    /**
     * Verifies the bytes before a position of the file that has its name now.
     *
     * @throws FeedChangedException if it is not what was read
     */
    void requireSame(long position) throws FeedChangedException {
        if (position > 0 && isOther()) {
            throw new FeedChangedException("It begins with other bytes.");
        }
        if (position > length()) {
            throw new FeedChangedException("It is shorter.");
        }
    }

    private boolean isOther() {
        return change == Change.REPLACED || change == Change.OVERWRITTEN;
    }

    /**
     * Opens it.
     *
     * @param verified position up to which its bytes are those that were read
     */
    void open(long position, long verified) throws IOException {
        requireReadable();
        if (isOther() && verified > 0) {
            report("a changed file was opened");
        } else if (isOther()) {
            // A process that has read nothing may read another file. In the simulation, there is none then.
            throw new NoSuchFileException("simulated");
        }
        if (position > length()) {
            throw new EOFException("position " + position + " of " + length());
        }
    }

    /** Requires that an open file, which was read up to a position, has what was read. */
    void requireUnchanged(long position) throws FeedChangedException {
        if (change == Change.OVERWRITTEN && position > 0) {
            throw new FeedChangedException("It was overwritten.");
        }
    }

    /** Requires that an open file is not shorter than it was. */
    void requireComplete(int size) throws FeedChangedException {
        if (length() < size) {
            throw new FeedChangedException("It was truncated.");
        }
    }

    /** Requires that its first bytes can be read, of which nothing was read before. */
    void requireBeginning() throws IOException {
        if (change == Change.OVERWRITTEN) {
            throw new NoSuchFileException("simulated");
        }
    }

    /** Notes what a feed may not do, since a pipeline that fails hides it. */
    void report(String newProblem) {
        problem = problem == null ? newProblem : problem;
    }

    @Nullable
    String problem() {
        return problem;
    }
}
