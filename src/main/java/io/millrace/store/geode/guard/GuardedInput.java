package io.millrace.store.geode.guard;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/**
 * The input of a connection, whose first bytes are checked before Geode reads them. If they are refused, the connection
 * ends like one whose client closes it. Not thread-safe.
 */
abstract class GuardedInput extends InputStream {

    private static final int BUFFER_BYTES = 512;
    private static final long TIMEOUT_NANOS = 10_000_000_000L;

    private final InputStream socket;
    private final InputStream in;
    private final Object sender;
    private final RefusalLog log;
    /** Bytes that have been checked and not been read yet; -1 where checked as they are read. */
    private long checked;

    private boolean refused;
    private long deadline;

    /** @param sender address of the client, for the log */
    GuardedInput(InputStream socket, Object sender, RefusalLog log) {
        this.socket = socket;
        this.in = new BufferedInputStream(new Timed(socket), BUFFER_BYTES);
        this.sender = sender;
        this.log = log;
    }

    /** Checks the next bytes; all further ones pass {@link #passing} if nothing is left to check. */
    abstract boolean checkNext(CheckedInput next) throws IOException;

    /** Returns the maximum number of bytes that the next check may read. */
    abstract int limit();

    /** Checks bytes that are about to be read, after all that was checked in advance. */
    abstract void passing(byte[] bytes, int offset, int length) throws IOException;

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (refused) {
            return -1;
        }
        try {
            if (checked == 0) {
                advance();
            }
            if (checked < 0) {
                int count = in.read(bytes, offset, length);
                passing(bytes, offset, Math.max(count, 0));
                return count;
            }
        } catch (RefusedInputException e) {
            refused = true;
            log.refused(sender, String.valueOf(e.getMessage()));
            throw new EOFException("Refused: " + e.getMessage());
        }
        int count = in.read(bytes, offset, (int) Math.min(length, checked));
        checked -= Math.max(count, 0);
        return count;
    }

    private void advance() throws IOException {
        int limit = limit();
        in.mark(limit);
        deadline = System.nanoTime() + TIMEOUT_NANOS;
        CheckedInput next = new CheckedInput(in, limit);
        checked = checkNext(next) ? limit - next.remaining() : -1;
        in.reset();
        deadline = 0;
    }

    /** Returns what has arrived, also while another thread reads. */
    @Override
    public int available() throws IOException {
        return socket.available();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** The socket's input, which ends the connection if it takes too long until all is there that is checked. */
    private final class Timed extends FilterInputStream {

        private Timed(InputStream socket) {
            super(socket);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (deadline != 0 && System.nanoTime() - deadline > 0) {
                throw new SocketTimeoutException("The beginning of the connection took too long.");
            }
            return super.read(bytes, offset, length);
        }
    }
}
