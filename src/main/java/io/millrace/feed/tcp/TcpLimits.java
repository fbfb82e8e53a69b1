package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;
import java.time.Duration;

/**
 * What a sender may ask of the feed.
 *
 * @param connections how many at once
 * @param connectionsPerAddress how many of them one address may have
 * @param sharePerAddress the part of connections and of the buffer that one address may take of what others leave
 * @param recordLength of the longest record, in bytes, where not all have one length
 * @param idleTimeout for which a connection may bring no complete record, unless it waits for the feed
 * @param connectionBuffer bytes that may wait in the feed for each connection; reading stops there
 * @param buffer bytes that may wait for all connections together; reading stops there
 */
public record TcpLimits(
        int connections,
        int connectionsPerAddress,
        FairShare sharePerAddress,
        int recordLength,
        Duration idleTimeout,
        long connectionBuffer,
        long buffer) {}
