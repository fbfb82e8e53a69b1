package io.millrace.feed.pcap;

import io.millrace.feed.Feed.Piece;
import java.io.IOException;
import java.util.Arrays;

/** Reads the records out of a capture's datagrams, and what should have been records. Not thread-safe. */
final class RecordReader {

    /** What was come upon. */
    enum Next {
        RECORD,
        /** Bytes that should have been a record. */
        PIECE,
        /** None within the bytes that were to be read. */
        PAUSE,
        END
    }

    private final DatagramReader datagrams;
    private final DatagramFramer framer;
    private final PcapCounters counters;
    private final Datagram datagram;
    private int length;
    private String detail = "";
    private boolean ofCapture;

    RecordReader(DatagramReader datagrams, DatagramFramer framer, PcapCounters counters) {
        this.datagrams = datagrams;
        this.framer = framer;
        this.counters = counters;
        this.datagram = datagrams.datagram();
    }

    /**
     * Goes to the next record.
     *
     * @param readUpTo position in the file where to pause
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
                        ofCapture = false;
                        return Next.PIECE;
                    }
                }
                case PIECE -> {
                    counters.cut.add(1);
                    ofCapture = true;
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

    /** Counts a datagram that is no record; true where it should have been one, and nobody else is to blame. */
    private boolean isPiece() {
        return switch (length) {
            case DatagramFramer.CUT -> {
                counters.cut.add(1);
                detail = "only " + datagram.captured() + " of the " + datagram.length()
                        + " bytes of the datagram with a " + framer.recordName() + " were captured";
                yield true;
            }
            case DatagramFramer.MALFORMED -> {
                counters.malformed.add(1);
                detail = "the datagram of " + datagram.length() + " bytes holds a malformed " + framer.recordName();
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

    /** Array that holds the record. */
    byte[] bytes() {
        return datagram.bytes();
    }

    /** Offset in {@link #bytes()} of the record. */
    int offset() {
        return datagram.offset();
    }

    /** Length in bytes of the record. */
    int length() {
        return length;
    }

    /** When the record was captured, in nanoseconds since 1970. */
    long nanos() {
        return datagram.nanos();
    }

    /** The piece that was come upon last, with a copy of its bytes. */
    Piece piece(long position) {
        if (ofCapture) {
            Packet piece = datagrams.piece();
            return new Piece(position, copy(piece.bytes(), piece.offset(), piece.captured()), detail);
        }
        return new Piece(position, copy(datagram.bytes(), datagram.offset(), datagram.captured()), detail);
    }

    private static byte[] copy(byte[] bytes, int offset, int howMany) {
        return Arrays.copyOfRange(bytes, offset, offset + howMany);
    }
}
