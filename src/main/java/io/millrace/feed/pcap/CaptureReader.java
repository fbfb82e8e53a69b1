package io.millrace.feed.pcap;

import java.io.Closeable;
import java.io.IOException;

/** Reads the packets of a capture file, one after the other. Not thread-safe; allocates nothing for a packet. */
interface CaptureReader extends Closeable {

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
    Next next(Packet packet) throws IOException;

    /** Why the last piece is no packet. */
    String detail();

    /** Position in the file up to which it was read, in bytes. */
    long position();

    /** Bytes of the file that were not read yet. */
    long left() throws IOException;
}
