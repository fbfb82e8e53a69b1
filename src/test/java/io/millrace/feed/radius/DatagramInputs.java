package io.millrace.feed.radius;

import java.util.Arrays;
import java.util.List;

/** Gives tests of other packages the handling of RADIUS datagrams. */
public final class DatagramInputs {

    private DatagramInputs() {}

    public static List<byte[]> seeds() {
        return List.of(
                Packets.start(1, "session"),
                Packets.request(2, Packets.START, Packets.NAS, Packets.attribute(26, 0, 0, 40, 175, 1, 3, 50)),
                Packets.sign(Packets.unsigned(12, 3), Packets.SECRET));
    }

    /** Handles a datagram as it came, and signed as a client who knows the secret signs it. */
    public static void parse(byte[] datagram) {
        AccountingServerFuzzTest.deal(datagram);
        if (datagram.length >= 20 && datagram.length <= 4096) {
            AccountingServerFuzzTest.deal(Packets.sign(Arrays.copyOf(datagram, datagram.length), Packets.SECRET));
        }
    }
}
