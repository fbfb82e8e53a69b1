package io.millrace.feed.pcap;

/**
 * A filter of UDP datagrams by port. Immutable.
 *
 * @param port 1 to 65535
 * @param side of the datagram whose port must match
 */
public record PortFilter(int port, Side side) {

    /** The ports of a datagram to compare. */
    public enum Side {
        /** The receiver's port: requests. */
        DESTINATION,
        /** The sender's port: responses. */
        SOURCE,
        /** Either of the two ports. */
        EITHER
    }

    boolean admits(int source, int destination) {
        return switch (side) {
            case DESTINATION -> destination == port;
            case SOURCE -> source == port;
            case EITHER -> source == port || destination == port;
        };
    }
}
