package io.millrace.feed.pcap;

import io.millrace.codec.Counter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts packets and datagrams by outcome since the process started: a capture that is read again after a restart is
 * counted again. The reading thread writes, any thread may read.
 */
final class PcapCounters {

    /** Packets in the capture. */
    final Counter packets = new Counter();

    /** Packets that contain no UDP datagram, or none that can be decoded. */
    final Counter notUdp = new Counter();

    /** Packets of interfaces with an unknown link-layer type. */
    final Counter unknownLinks = new Counter();

    /** Packets that were captured incompletely, and pieces of the file that contain no complete packet. */
    final Counter cut = new Counter();

    /** Packets that are fragments of UDP datagrams. */
    final Counter fragments = new Counter();

    /** Datagrams reassembled from fragments. */
    final Counter reassembled = new Counter();

    /** Datagrams dropped because fragments are missing or contradict each other. */
    final Counter fragmentsDropped = new Counter();

    /** Datagrams of other ports. */
    final Counter otherPorts = new Counter();

    /** Datagrams of the port that are not records. */
    final Counter otherDatagrams = new Counter();

    /** Datagrams of the port that should be records and are malformed. */
    final Counter malformed = new Counter();

    /** Records signed with another secret. */
    final Counter forged = new Counter();

    /** Returns all counters by the names under which they are shown. */
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
