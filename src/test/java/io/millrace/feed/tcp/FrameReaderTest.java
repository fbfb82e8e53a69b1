package io.millrace.feed.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.frame.Framer;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.SourceNetwork;
import io.millrace.schema.Schema;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** However the bytes of frames arrive, the same records come out. */
class FrameReaderTest {

    private static final String PEER = "192.0.2.1:5000";
    private static final int LONGEST = 60_000;

    @Provide
    Arbitrary<Framing> framings() {
        Arbitrary<Framing> prefixed = Combinators.combine(
                        Arbitraries.of(1, 2, 4),
                        Arbitraries.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN),
                        Arbitraries.of(true, false))
                .as(Framing.LengthPrefixed::new);
        Arbitrary<Framing> delimited = Arbitraries.of("\n", "\r\n", "\n\n\r", "\n\r\n\r\r")
                .map(text -> new Framing.Delimited(text.getBytes(ISO_8859_1)));
        return Arbitraries.oneOf(prefixed, delimited);
    }

    /** Records of varying length: short ones, and some longer than what is looked at together. */
    @Property(tries = 500)
    void shouldGiveTheSameRecordsHoweverTheyArrive(
            @ForAll("framings") Framing framing,
            @ForAll @IntRange(min = 1, max = 60) int count,
            @ForAll @IntRange(min = 1, max = 300) int batchRecords,
            @ForAll Random random) {
        int longest = longest(framing);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(10) == 0 ? random.nextInt(longest + 1) : random.nextInt(40);
            records.add(record(framing, random, length));
        }

        Reading reading = new Reading(framing, 0, batchRecords);
        reading.receive(Frames.of(framing, records), random);

        assertThat(reading.records).containsExactlyElementsOf(records);
        assertThat(reading.pieces).isEmpty();
        assertThat(reading.reader.wrong()).isNull();
    }

    @Property(tries = 300)
    void shouldGiveTheSameRecordsOfOneLength(
            @ForAll("framings") Framing framing,
            @ForAll boolean backToBack,
            @ForAll @IntRange(min = 1, max = 70) int length,
            @ForAll @IntRange(min = 1, max = 50) int batchRecords,
            @ForAll Random random) {
        Framing tried = backToBack ? new Framing.Fixed() : framing;
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            records.add(record(tried, random, length));
        }

        Reading reading = new Reading(tried, length, batchRecords);
        reading.receive(Frames.of(tried, records), random);

        assertThat(reading.records).containsExactlyElementsOf(records);
        assertThat(reading.pieces).isEmpty();
    }

    @Property(tries = 300)
    void shouldTakeGarbageWithoutHarm(
            @ForAll("framings") Framing framing, @ForAll @IntRange(min = 0, max = 2) int kind, @ForAll Random random) {
        byte[] garbage = new byte[random.nextInt(5_000)];
        for (int i = 0; i < garbage.length; i++) {
            garbage[i] = (byte) (kind == 0 ? random.nextInt(256) : kind == 1 ? random.nextInt(3) : '\n');
        }
        Reading reading = new Reading(framing, 7, 20);
        reading.receive(garbage, random);

        assertThat(reading.records).allMatch(record -> record.length == 7);
        assertThat(reading.mostInBatch).isLessThanOrEqualTo(21);
    }

    @Example
    void shouldSayHowMuchOfARecordCame() {
        cutOff(new Framing.Fixed(), new byte[5], "ended after 5 of the record's 39 bytes", 5);
        Framing prefixed = new Framing.LengthPrefixed(2, ByteOrder.BIG_ENDIAN, false);
        cutOff(prefixed, new byte[] {0}, "ended after 1 of the length's 2 bytes", 1);
        cutOff(prefixed, new byte[] {0, 39}, "ended after 0 of the record's 39 bytes", 0);
        cutOff(prefixed, new byte[] {0, 39, 1, 2}, "ended after 2 of the record's 39 bytes", 2);
        cutOff(new Framing.Delimited(new byte[] {'\n'}), new byte[3], "ended after 3 bytes without a delimiter", 3);
    }

    private static void cutOff(Framing framing, byte[] sent, String detail, int kept) {
        Reading reading = new Reading(framing, 39, 10);
        reading.receive(sent, new Random(1));
        reading.end();
        assertThat(reading.pieces).singleElement().satisfies(piece -> {
            assertThat(piece.detail()).isEqualTo("Truncated record from " + PEER + ": the connection " + detail + ".");
            assertThat(piece.bytes()).isEqualTo(Arrays.copyOfRange(sent, sent.length - kept, sent.length));
        });
    }

    @Example
    void shouldRejectRecordsOfAWrongLengthAndGoOn() {
        Framing lines = new Framing.Delimited(new byte[] {'\n'});
        Reading reading = new Reading(lines, 3, 10);
        reading.receive("abc\n\nabcd\ndef\n".getBytes(ISO_8859_1), new Random(1));
        assertThat(reading.records).containsExactly("abc".getBytes(ISO_8859_1), "def".getBytes(ISO_8859_1));
        assertThat(reading.pieces)
                .extracting(Piece::detail)
                .containsExactly(
                        "Invalid length of a record from " + PEER + ": 0 bytes. Use 3.",
                        "Invalid length of a record from " + PEER + ": 4 bytes. Use 3.");
    }

    @Example
    void shouldEndAtARecordThatIsTooLongOrCannotBe() {
        byte[] endless = new byte[2 * LONGEST];
        Arrays.fill(endless, (byte) 'x');
        Map.of(
                        new Framing.Delimited(new byte[] {'\n'}), CloseReason.TOO_LONG,
                        new Framing.LengthPrefixed(4, ByteOrder.BIG_ENDIAN, false), CloseReason.TOO_LONG)
                .forEach((framing, reason) -> {
                    Reading reading = new Reading(framing, 39, 10);
                    reading.receive(endless, new Random(2));
                    assertThat(reading.reader.wrong()).isEqualTo(reason);
                    assertThat(reading.pieces).singleElement().satisfies(piece -> {
                        assertThat(piece.detail()).contains("Use at most 60000 bytes.");
                        assertThat(piece.bytes()).hasSizeBetween(1, 256);
                    });
                });

        Reading reading = new Reading(new Framing.LengthPrefixed(2, ByteOrder.LITTLE_ENDIAN, true), 39, 10);
        reading.receive(new byte[] {1, 0, 9, 9}, new Random(3));
        assertThat(reading.reader.wrong()).isEqualTo(CloseReason.WRONG_LENGTH);
        assertThat(reading.pieces)
                .extracting(Piece::detail)
                .containsExactly("Invalid length of a record from " + PEER
                        + ": it does not include its own bytes. Correct it, or set 'counts-itself: false'.");
    }

    private static int longest(Framing framing) {
        return framing instanceof Framing.LengthPrefixed prefixed && prefixed.width() == 1 ? 250 : LONGEST;
    }

    /** Random bytes that hold no delimiter, nor make one up with what follows. */
    private static byte[] record(Framing framing, Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (framing instanceof Framing.Delimited) {
            for (int i = 0; i < length; i++) {
                if (bytes[i] == '\n' || bytes[i] == '\r') {
                    bytes[i] = 'n';
                }
            }
        }
        return bytes;
    }

    /** A reader with what it gave so far. */
    static final class Reading {
        private final FrameReader reader;
        private final BatchBuffer buffer;
        private final Schema schema;
        private final List<byte[]> records = new ArrayList<>();
        private final List<Piece> pieces = new ArrayList<>();
        private int mostInBatch;

        Reading(Framing framing, int recordLength, int batchRecords) {
            schema = new Schema("t", recordLength, List.of(), List.of());
            Framer framer = framing.framer(recordLength);
            int longest = framing instanceof Framing.Fixed ? recordLength : LONGEST;
            Sender sender = new Sender(new SourceNetwork(0, 0));
            reader = new FrameReader(framer, longest, PEER, sender, new IncompleteRecords(64 << 20, new FairShare(1)));
            buffer = new BatchBuffer(schema, batchRecords, longest + framer.head() + framer.tail());
            Arrays.fill(buffer.bytes(), (byte) '\n');
        }

        /** Cuts the bytes anywhere; a batch may end anywhere too. */
        void receive(byte[] bytes, Random random) {
            int at = 0;
            int widest = random.nextBoolean() ? 5 : bytes.length + 1;
            while (at < bytes.length) {
                int length = Math.min(bytes.length - at, 1 + random.nextInt(widest));
                ByteBuf part = Unpooled.wrappedBuffer(bytes, at, length);
                at += length;
                while (part.isReadable() && reader.wrong() == null) {
                    reader.read(part, buffer, 1 + random.nextInt(10));
                    if (buffer.full() || random.nextInt(20) == 0) {
                        nextBatch();
                    }
                }
            }
            nextBatch();
        }

        void end() {
            reader.end(buffer);
            nextBatch();
        }

        private void nextBatch() {
            int inBatch = buffer.count();
            io.millrace.codec.RecordBatch batch = new io.millrace.codec.RecordBatch(schema);
            buffer.show(batch);
            for (int i = 0; i < batch.count(); i++) {
                records.add(Arrays.copyOfRange(batch.bytes(), batch.offset(i), batch.offset(i) + batch.length(i)));
            }
            for (@Nullable Piece piece = buffer.takePiece(); piece != null; piece = buffer.takePiece()) {
                pieces.add(piece);
                inBatch++;
            }
            mostInBatch = Math.max(mostInBatch, inBatch);
            buffer.clear();
        }
    }

    /** Writes frames by hand. */
    static final class Frames {

        private Frames() {}

        static byte[] of(Framing framing, List<byte[]> records) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (byte[] record : records) {
                if (framing instanceof Framing.LengthPrefixed(int width, ByteOrder order, boolean countsItself)) {
                    int length = record.length + (countsItself ? width : 0);
                    for (int i = 0; i < width; i++) {
                        out.write(length >>> (8 * (order == ByteOrder.BIG_ENDIAN ? width - 1 - i : i)));
                    }
                }
                out.writeBytes(record);
                if (framing instanceof Framing.Delimited(byte[] delimiter)) {
                    out.writeBytes(delimiter);
                }
            }
            return out.toByteArray();
        }
    }
}
