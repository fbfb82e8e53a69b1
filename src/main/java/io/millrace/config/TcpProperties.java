package io.millrace.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Records that senders bring over TCP.
 *
 * @param host name or address of the interface to listen on
 * @param port 0 for any that is free
 * @param framing how bytes are cut into records
 * @param lengthPrefix the number before each record, for framing length-prefixed
 * @param delimiter what stands behind each record, for framing delimited; each character is a byte
 * @param maxRecordLength the longest record, where not all have one length
 * @param maxConnections how many at once
 * @param maxConnectionsPerAddress how many of them one address, or one /64 network of IPv6, may have; as many as there
 *     may be at once without it
 * @param maxSharePerAddress how much of max-connections and of buffer one address may take, as a percentage of what the
 *     other addresses leave
 * @param idleTimeout for which a connection may bring no complete record
 * @param connectionBuffer how much may wait for each connection before reading stops
 * @param buffer how much may wait for all connections together before reading stops
 * @param sslBundle name of the SSL bundle that secures connections; plain without one
 * @param acknowledge when senders get the number of stored records; never without it
 */
public record TcpProperties(
        @DefaultValue("127.0.0.1") String host,
        @Nullable Integer port,
        @DefaultValue("fixed") Kind framing,
        @Nullable LengthPrefixProperties lengthPrefix,
        @Nullable String delimiter,
        @DefaultValue("64KB") DataSize maxRecordLength,
        @DefaultValue("2000") int maxConnections,
        @Nullable Integer maxConnectionsPerAddress,
        @DefaultValue("75%") String maxSharePerAddress,
        @DefaultValue("5m") Duration idleTimeout,
        @DefaultValue("256KB") DataSize connectionBuffer,
        @DefaultValue("64MB") DataSize buffer,
        @Nullable String sslBundle,
        @Nullable AcknowledgeProperties acknowledge) {

    /** How bytes are cut into records. */
    public enum Kind {
        /** Back to back, all of one length. */
        FIXED,
        /** A number before each. */
        LENGTH_PREFIXED,
        /** Something behind each. */
        DELIMITED
    }

    /** Which byte of a number comes first. */
    public enum Order {
        /** The most significant. */
        BIG_ENDIAN,
        /** The least significant. */
        LITTLE_ENDIAN
    }

    /**
     * The number before each record.
     *
     * @param width its bytes: 1, 2 or 4
     * @param order its byte order
     * @param countsItself whether it counts its own bytes too
     */
    public record LengthPrefixProperties(
            @DefaultValue("2") int width,
            @DefaultValue("big-endian") Order order,
            @DefaultValue("false") boolean countsItself) {}

    /**
     * When senders get the number of stored records.
     *
     * @param every so many records
     */
    public record AcknowledgeProperties(
            @DefaultValue("1000") int every) {}
}
