package io.millrace.feed.pcap;

import java.io.Closeable;
import java.io.IOException;

/** Reads the packets of a capture file in order. Not thread-safe; allocates nothing per packet. */
abstract class CaptureReader implements Closeable {

    final CaptureInput input;
    private String detail = "";

    /** @param input the capture file */
    CaptureReader(CaptureInput input) {
        this.input = input;
    }

    /** The result of reading. */
    enum Next {
        /** A packet. */
        PACKET,
        /** Bytes that should have been a packet; {@link CaptureReader#detail()} describes the defect. */
        PIECE,
        /** Bytes that contain no packet. The caller can pause: a capture can have many of them. */
        OTHER,
        /** The capture has no further packet. */
        END
    }

    /**
     * Reads the next packet.
     *
     * @param packet set to the packet or the piece
     * @throws CaptureException if the file is so damaged that no further packet can be found
     */
    abstract Next next(Packet packet) throws IOException;

    /** Sets the defect of the bytes that a packet was set to. */
    final Next piece(String why) {
        detail = why;
        return Next.PIECE;
    }

    /** Returns the defect of the last piece. */
    final String detail() {
        return detail;
    }

    /** Returns the position in the file up to which it was read, in bytes. */
    final long position() {
        return input.position();
    }

    /** Marks {@link #position()} as the end of a batch. */
    final void endBatch() {
        input.endBatch();
    }

    /** Returns the number of bytes of the file that are not read yet. */
    final long left() throws IOException {
        return input.left();
    }

    @Override
    public final void close() throws IOException {
        input.close();
    }
}
