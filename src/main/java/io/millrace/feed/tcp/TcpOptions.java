package io.millrace.feed.tcp;

import io.millrace.codec.frame.Framing;

/**
 * The options of a {@link TcpFeed}.
 *
 * @param host name or address of the interface
 * @param port to listen on, 0 for any free port
 * @param framing of the records
 * @param limits for senders
 * @param acknowledgeEvery number of stored records between two acknowledgements, 0 for none
 */
public record TcpOptions(String host, int port, Framing framing, TcpLimits limits, int acknowledgeEvery) {}
