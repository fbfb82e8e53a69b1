package io.millrace.feed.tcp;

import java.time.Duration;

/**
 * What a sender may ask of the feed.
 *
 * @param connections how many at once
 * @param recordLength of the longest record, in bytes, where not all have one length
 * @param idleTimeout for which a connection may bring nothing, unless it waits for the feed
 * @param connectionBuffer bytes that may wait in the feed for each connection; reading stops there
 * @param buffer bytes that may wait for all connections together; reading stops there
 */
public record TcpLimits(int connections, int recordLength, Duration idleTimeout, long connectionBuffer, long buffer) {}
