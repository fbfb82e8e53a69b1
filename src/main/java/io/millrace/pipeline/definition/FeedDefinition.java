package io.millrace.pipeline.definition;

import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.radius.RadiusOptions;
import io.millrace.feed.radius.Secret;
import io.millrace.feed.tcp.TcpOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a pipeline's records come from. */
public sealed interface FeedDefinition {

    /** One file of records, from its beginning to its end. */
    record FileDefinition(Path path) implements FeedDefinition {}

    /**
     * Records made up on the way.
     *
     * @param rate records a second, 0 for as many as are taken
     * @param count how many in all, 0 for no end
     * @param seed equal seeds make equal records
     */
    record GeneratorDefinition(long rate, long count, long seed) implements FeedDefinition {}

    /** RADIUS accounting requests, answered once they are stored. */
    record RadiusDefinition(RadiusOptions options) implements FeedDefinition {}
    /**
     * RADIUS accounting requests of one capture file, from its beginning to its end.
     *
     * @param ports of their datagrams
     * @param secret that they were made with, or null to take them unchecked
     * @param speed how many times faster than they were captured they are brought, 0 for as fast as they are taken
     */
    record PcapDefinition(
            Path path, PortFilter ports, @Nullable Secret secret, double speed) implements FeedDefinition {}
    /**
     * Records that senders bring over TCP.
     *
     * @param sslBundle name of the SSL bundle that secures connections, or null for plain ones
     */
    record TcpDefinition(TcpOptions options, @Nullable String sslBundle) implements FeedDefinition {}

    /** None: records arrive only as messages that somebody sends to the pipeline's channel. */
    record ChannelDefinition() implements FeedDefinition {}
}
