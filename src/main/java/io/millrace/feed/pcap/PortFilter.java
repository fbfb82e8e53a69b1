package io.millrace.feed.pcap;

/**
 * Which UDP datagrams count. Immutable.
 *
 * @param port 1 to 65535
 * @param side where the port has to stand
 */
public record PortFilter(int port, Side side) {

    /** Which of a datagram's two ports is looked at. */
    public enum Side {
        /** That of the receiver: requests. */
        DESTINATION,
        /** That of the sender: answers. */
        SOURCE,
        /** One of them. */
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
