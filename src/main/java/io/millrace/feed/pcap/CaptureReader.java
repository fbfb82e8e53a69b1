package io.millrace.feed.pcap;

import java.io.Closeable;
import java.io.IOException;

/** Reads the packets of a capture file, one after the other. Not thread-safe; allocates nothing for a packet. */
abstract class CaptureReader implements Closeable {

    final CaptureInput input;
    private String detail = "";

    /** @param input the file */
    CaptureReader(CaptureInput input) {
        this.input = input;
    }

    /** What was come upon. */
    enum Next {
        /** A packet. */
        PACKET,
        /** Bytes that should have been a packet; {@link CaptureReader#detail()} says what they lack. */
        PIECE,
        /** No packet is left. */
        END
    }

    /**
     * Goes to the next packet.
     *
     * @param packet made to show it, or the piece
     * @throws CaptureException where the file is damaged so that no packet behind this place can be found
     */
    abstract Next next(Packet packet) throws IOException;

    /** Says of bytes that a packet was made to show why they are none. */
    final Next piece(String why) {
        detail = why;
        return Next.PIECE;
    }

    /** Why the last piece is no packet. */
    final String detail() {
        return detail;
    }

    /** Position in the file up to which it was read, in bytes. */
    final long position() {
        return input.position();
    }

    /** Identifies the file by what was read of it. */
    final String identity() throws IOException {
        return input.identity();
    }

    /** Bytes of the file that were not read yet. */
    final long left() throws IOException {
        return input.left();
    }

    @Override
    public final void close() throws IOException {
        input.close();
    }
}
