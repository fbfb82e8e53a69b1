package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;
import java.time.Duration;

/**
 * The limits for senders.
 *
 * @param connections maximum number of open connections
 * @param connectionsPerAddress maximum number of open connections of one address
 * @param sharePerAddress share of the connections and of the buffer, of what others leave free, that one address may
 *     use
 * @param recordLength maximum record length in bytes, if records have variable lengths
 * @param idleTimeout time without a complete record after which a connection is closed, unless it waits for the feed
 * @param connectionBuffer bytes of unread data at which the feed stops reading a connection
 * @param buffer bytes of unread data of all connections at which the feed stops reading
 */
public record TcpLimits(
        int connections,
        int connectionsPerAddress,
        FairShare sharePerAddress,
        int recordLength,
        Duration idleTimeout,
        long connectionBuffer,
        long buffer) {}
