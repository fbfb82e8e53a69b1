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

    public static void parse(byte[] capture) throws IOException {
        PcapFeedFuzzTest.readOrRefuse(capture);
    }
}
