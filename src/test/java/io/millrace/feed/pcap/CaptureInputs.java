package io.millrace.feed.pcap;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Gives tests of other packages the reading of captures. */
public final class CaptureInputs {

    private CaptureInputs() {}

    public static List<byte[]> seeds() {
        return List.of(
                PcapFeedFuzzTest.pcap(new Random(1)),
                PcapFeedFuzzTest.pcap(new Random(2)),
                PcapFeedFuzzTest.pcapng(new Random(3)),
                PcapFeedFuzzTest.pcapng(new Random(4)));
    }

    /** Returns a capture of requests. */
    public static byte[] requests(int count, Random random) {
        PcapWriter writer = new PcapWriter(1);
        for (int i = 0; i < count; i++) {
            writer.packet(
                    i, Frames.ethernet(Frames.ipv4(Frames.UDP, Frames.udp(Requests.request(random.nextInt(), 60)))));
        }
        return writer.toBytes();
    }

    public static void parse(byte[] capture) throws IOException {
        PcapFeedFuzzTest.readOrRefuse(capture);
    }
}
