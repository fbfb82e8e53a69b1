package io.millrace.feed.pcap;

import io.millrace.feed.Feed.Piece;
import java.io.IOException;
import java.util.Arrays;

/** Reads records, and pieces that should have been records, from a capture's datagrams. Not thread-safe. */
final class CapturedRecords {

    /** The result of reading. */
    enum Next {
        RECORD,
        /** Bytes that should have been a record. */
        PIECE,
        /** The position to pause at was reached before a record. */
        PAUSE,
        END
    }

    private final DatagramReader datagrams;
    private final DatagramFramer framer;
    private final PcapCounters counters;
    private final Datagram datagram;
    private int length;
    private String detail = "";
    private boolean pieceOfCapture;

    CapturedRecords(DatagramReader datagrams, DatagramFramer framer, PcapCounters counters) {
        this.datagrams = datagrams;
        this.framer = framer;
        this.counters = counters;
        this.datagram = datagrams.datagram();
    }

    /**
     * Reads the next record.
     *
     * @param readUpTo position in the file at which to pause
     */
    Next next(long readUpTo) throws IOException {
        while (true) {
            switch (datagrams.next(readUpTo)) {
                case DATAGRAM -> {
                    length = framer.frame(datagram.bytes(), datagram.offset(), datagram.captured(), datagram.length());
                    if (length > 0) {
                        return Next.RECORD;
                    }
                    if (isPiece()) {
                        pieceOfCapture = false;
                        return Next.PIECE;
                    }
                }
                case PIECE -> {
                    counters.cut.add(1);
                    pieceOfCapture = true;
                    detail = datagrams.detail();
                    return Next.PIECE;
                }
                case PAUSE -> {
                    return Next.PAUSE;
                }
                case END -> {
                    return Next.END;
                }
            }
        }
    }

    /** Counts a datagram that is not a record. Returns true if it should have been one and was not forged. */
    private boolean isPiece() {
        return switch (length) {
            case DatagramFramer.CUT -> {
                counters.cut.add(1);
                detail = "Truncated " + framer.recordName() + ": the capture has " + datagram.captured() + " of the "
                        + datagram.length() + " bytes of its datagram. Capture packets with their whole length.";
                yield true;
            }
            case DatagramFramer.MALFORMED -> {
                counters.malformed.add(1);
                detail = "Malformed " + framer.recordName() + ": the lengths in its datagram of " + datagram.length()
                        + " bytes are inconsistent.";
                yield true;
            }
            case DatagramFramer.FORGED -> {
                counters.forged.add(1);
                yield false;
            }
            default -> {
                counters.otherDatagrams.add(1);
                yield false;
            }
        };
    }

    /** Returns the array that contains the record. */
    byte[] bytes() {
        return datagram.bytes();
    }

    /** Returns the offset in {@link #bytes()} of the record. */
    int offset() {
        return datagram.offset();
    }

    /** Returns the length of the record in bytes. */
    int length() {
        return length;
    }

    /** Returns the time of capture of the record in nanoseconds since 1970. */
    long nanos() {
        return datagram.nanos();
    }

    /** Returns the piece read last, with a copy of its bytes. */
    Piece piece(long position) {
        if (pieceOfCapture) {
            Packet piece = datagrams.piece();
            return Piece.incomplete(position, copy(piece.bytes(), piece.offset(), piece.captured()), detail);
        }
        return Piece.incomplete(position, copy(datagram.bytes(), datagram.offset(), datagram.captured()), detail);
    }

    private static byte[] copy(byte[] bytes, int offset, int count) {
        return Arrays.copyOfRange(bytes, offset, offset + count);
    }
}
