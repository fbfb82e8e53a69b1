package io.millrace.feed.tcp;

import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.framing.FramingProperties;
import io.millrace.feed.framing.LengthPrefixProperties;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of a feed of records over TCP.
 *
 * @param host name or address of the interface to listen on
 * @param port TCP port to listen on; 0 for any free port
 * @param framing way in which bytes are split into records
 * @param lengthPrefix length before each record, with framing: length-prefixed
 * @param delimiter bytes after each record, with framing: delimited; each character is one byte
 * @param maxRecordLength maximum length of a record; with framing: fixed, all records have the schema's length
 * @param maxConnections maximum number of connections
 * @param maxConnectionsPerAddress maximum number of connections of one address, or of one /64 network of IPv6; by
 *     default max-connections
 * @param maxSharePerAddress share of max-connections and of buffer, as a percentage of what the other addresses leave,
 *     that one address may use
 * @param idleTimeout time after which a connection that completes no record is closed
 * @param connectionBuffer received bytes of one connection at which reading it pauses
 * @param buffer received bytes of all connections together at which reading pauses
 * @param sslBundle name of the SSL bundle that secures connections; with a truststore, senders need a certificate; not
 *     encrypted by default
 * @param acknowledge acknowledgements with the number of stored records to senders; none without it
 */
public record TcpProperties(
        @DefaultValue("127.0.0.1") String host,
        @Nullable Integer port,
        @DefaultValue("fixed") FramingKind framing,
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

    /** Returns the framing with its properties. */
    FramingProperties framingProperties() {
        return new FramingProperties(framing, lengthPrefix, delimiter);
    }

    /**
     * Properties of acknowledgements, which report the number of stored records to senders.
     *
     * @param every number of stored records between two acknowledgements
     */
    public record AcknowledgeProperties(
            @DefaultValue("1000") int every) {}
}
