package io.millrace.feed.tcp;

import io.millrace.codec.frame.Framing;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Gives tests of other packages the framing of TCP connections. */
public final class FrameInputs {

    private static final List<Framing> FRAMINGS = List.of(
            new Framing.LengthPrefixed(2, ByteOrder.BIG_ENDIAN, false),
            new Framing.LengthPrefixed(4, ByteOrder.LITTLE_ENDIAN, true),
            new Framing.Delimited(new byte[] {'\n'}),
            new Framing.Delimited(new byte[] {'\r', '\n'}));

    private FrameInputs() {}

    /** Reads bytes as one connection, in each framing. */
    public static void parse(byte[] bytes) {
        for (Framing framing : FRAMINGS) {
            FrameReaderTest.Reading reading = new FrameReaderTest.Reading(framing, 0, 10);
            reading.receive(bytes, new Random(bytes.length));
            reading.end();
        }
    }
}
