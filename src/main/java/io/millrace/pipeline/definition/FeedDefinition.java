package io.millrace.pipeline.definition;

import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.radius.RadiusOptions;
import io.millrace.feed.radius.Secret;
import io.millrace.feed.tcp.TcpOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The source of a pipeline's records. */
public sealed interface FeedDefinition {

    /** A file of records, read from its beginning to its end. */
    record FileDefinition(Path path) implements FeedDefinition {}

    /**
     * Generated records.
     *
     * @param rate records per second, or 0 for no limit
     * @param count total number of records, or 0 for no limit
     * @param seed seed of the generator; equal seeds generate equal records
     */
    record GeneratorDefinition(long rate, long count, long seed) implements FeedDefinition {}

    /** RADIUS accounting requests, which are acknowledged after they are stored. */
    record RadiusDefinition(RadiusOptions options) implements FeedDefinition {}
    /**
     * RADIUS accounting requests of a capture file, read from its beginning to its end.
     *
     * @param ports ports of the requests' datagrams
     * @param secret shared secret of the requests, or null to accept them without verification
     * @param speed replay speed as a multiple of the captured speed, or 0 for no limit
     */
    record PcapDefinition(
            Path path, PortFilter ports, @Nullable Secret secret, double speed) implements FeedDefinition {}
    /**
     * Records that senders send over TCP.
     *
     * @param sslBundle name of the SSL bundle that secures connections, or null for unencrypted ones
     */
    record TcpDefinition(TcpOptions options, @Nullable String sslBundle) implements FeedDefinition {}

    /** No feed: records arrive only as messages on the pipeline's input channel. */
    record ChannelDefinition() implements FeedDefinition {}
}
