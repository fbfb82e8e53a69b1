package io.millrace.feed.pcap;

import io.millrace.codec.Counter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of the packets that this process has read: a capture that is read again from its start after a restart
 * counts again. The thread that reads counts, any thread may ask.
 */
final class PcapCounters {

    /** Packets in the capture. */
    final Counter packets = new Counter();

    /** Packets that hold no UDP datagram, or none that can be made out. */
    final Counter notUdp = new Counter();

    /** Packets of interfaces whose link-layer type is not known. */
    final Counter unknownLinks = new Counter();

    /** Packets of which too little was captured, and pieces of the file that hold no whole packet. */
    final Counter cut = new Counter();

    /** Packets that are fragments of UDP datagrams. */
    final Counter fragments = new Counter();

    /** Datagrams that were put together from fragments. */
    final Counter reassembled = new Counter();

    /** Datagrams that were given up, since fragments of them are missing or contradict each other. */
    final Counter fragmentsDropped = new Counter();

    /** Datagrams of other ports. */
    final Counter otherPorts = new Counter();

    /** Datagrams of the port that are something else than the records. */
    final Counter otherDatagrams = new Counter();

    /** Datagrams of the port that should be records and are malformed. */
    final Counter malformed = new Counter();

    /** Records whose secret is another. */
    final Counter forged = new Counter();

    /** All of them, by the names that they are shown under. */
    Map<String, Counter> byName() {
        Map<String, Counter> all = new LinkedHashMap<>();
        all.put("packets", packets);
        all.put("not-udp", notUdp);
        all.put("unknown-links", unknownLinks);
        all.put("cut", cut);
        all.put("fragments", fragments);
        all.put("reassembled", reassembled);
        all.put("fragments-dropped", fragmentsDropped);
        all.put("other-ports", otherPorts);
        all.put("other-datagrams", otherDatagrams);
        all.put("malformed", malformed);
        all.put("forged", forged);
        return Collections.unmodifiableMap(all);
    }
}
