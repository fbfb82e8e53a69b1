package io.millrace.feed.pcap;

import io.millrace.codec.Counter;
import io.millrace.feed.NamedCounters;
import java.util.Map;

/**
 * Counts packets and datagrams by outcome since the process started: a capture that is read again after a restart is
 * counted again. The reading thread writes, any thread may read.
 */
final class PcapCounters {

    private final NamedCounters counters = new NamedCounters();

    /** Packets in the capture. */
    final Counter packets = counters.add("packets");

    /** Packets that contain no UDP datagram, or none that can be decoded. */
    final Counter notUdp = counters.add("not-udp");

    /** Packets of interfaces with an unknown link-layer type. */
    final Counter unknownLinks = counters.add("unknown-links");

    /** Packets that were captured incompletely, and pieces of the file that contain no complete packet. */
    final Counter cut = counters.add("cut");

    /** Packets that are fragments of UDP datagrams. */
    final Counter fragments = counters.add("fragments");

    /** Datagrams reassembled from fragments. */
    final Counter reassembled = counters.add("reassembled");

    /** Datagrams dropped because fragments are missing or contradict each other. */
    final Counter fragmentsDropped = counters.add("fragments-dropped");

    /** Datagrams of other ports. */
    final Counter otherPorts = counters.add("other-ports");

    /** Datagrams of the port that are not records. */
    final Counter otherDatagrams = counters.add("other-datagrams");

    /** Datagrams of the port that should be records and are malformed. */
    final Counter malformed = counters.add("malformed");

    /** Records signed with another secret. */
    final Counter forged = counters.add("forged");

    /** Returns all counters by the names under which they are shown. */
    Map<String, Counter> byName() {
        return counters.all();
    }
}
