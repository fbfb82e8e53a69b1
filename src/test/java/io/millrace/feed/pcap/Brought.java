package io.millrace.feed.pcap;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All that a feed brought, by position.
 *
 * @param records in hexadecimal digits
 * @param counts those of the feed that are not zero
 */
record Brought(TreeMap<Long, String> records, TreeMap<Long, Piece> pieces, TreeMap<String, Long> counts) {

    private static final Schema TAGGED = new Schema("any", 0, List.of(), List.of());
    private static final int BATCH_RECORDS = 3;

    /** Reads a capture from its beginning to its end. */
    static Brought of(Path folder, byte[] capture) throws IOException {
        return of(folder, capture, new AccountingRequestFramer(null), 0);
    }

    static Brought of(Path folder, byte[] capture, DatagramFramer framer, long from) throws IOException {
        Path file = Files.write(folder.resolve("x.pcap"), capture);
        PortFilter ports = new PortFilter(Frames.PORT, PortFilter.Side.DESTINATION);
        return read(new PcapFeed(file, ports, framer, 0, BATCH_RECORDS), from);
    }

    /** Opens a feed, reads all that it brings, and closes it. */
    static Brought read(PcapFeed opened, long from) throws IOException {
        Brought brought = new Brought(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        try (PcapFeed feed = opened) {
            feed.open(from);
            RecordBatch batch = new RecordBatch(TAGGED);
            Poll poll;
            do {
                poll = feed.poll(batch, Duration.ZERO);
                if (poll == Poll.RECORDS) {
                    brought.take(batch);
                }
                for (Piece piece = feed.takePiece(); piece != null; piece = feed.takePiece()) {
                    brought.pieces.put(piece.position(), piece);
                }
            } while (poll != Poll.END);
            feed.counts().forEach((name, counter) -> {
                if (counter.get() != 0) {
                    brought.counts.put(name, counter.get());
                }
            });
        }
        return brought;
    }

    private void take(RecordBatch batch) {
        if (batch.count() > BATCH_RECORDS || batch.to() != batch.from() + batch.count()) {
            throw new AssertionError("batch of " + batch.count() + " from " + batch.from() + " to " + batch.to());
        }
        for (int i = 0; i < batch.count(); i++) {
            String record = HexFormat.of().formatHex(batch.bytes(), batch.offset(i), batch.offset(i) + batch.length(i));
            if (records.put(batch.positionAfter(i - 1), record) != null) {
                throw new AssertionError("position=" + batch.positionAfter(i - 1) + " came twice");
            }
        }
    }

    /** The piece of which there is just one. */
    Piece onlyPiece() {
        if (pieces.size() != 1) {
            throw new AssertionError("pieces=" + pieces);
        }
        return Objects.requireNonNull(pieces.firstEntry()).getValue();
    }

    /** Requests as records are shown. */
    static List<String> hex(byte[]... requests) {
        return new ArrayList<>(
                Arrays.stream(requests).map(HexFormat.of()::formatHex).toList());
    }
}
