package io.millrace.feed.tcp;

/**
 * What a {@link TcpFeed} listens on and what it reads.
 *
 * @param host name or address of the interface
 * @param port 0 for any that is free
 * @param acknowledgeEvery how many records are stored between two acknowledgements, 0 for none
 */
public record TcpOptions(String host, int port, Framing framing, TcpLimits limits, int acknowledgeEvery) {}
