package io.millrace.feed.radius;

import io.millrace.codec.file.ContentCheck;
import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFile;
import io.millrace.feed.pcap.PcapFeed;
import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.pcap.PortFilter.Side;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a feed of RADIUS accounting requests in a capture file, pcap or pcapng.
 *
 * @param path path of the capture file
 * @param port UDP port of the requests
 * @param side port of a datagram that is compared with port: destination, source or either
 * @param secret shared secret of the requests; requests signed with another secret are left out and counted. Without
 *     it, requests are not verified
 * @param pace whether requests are read at the pace at which they were captured
 * @param speed factor for the pace, with pace: true only; 1 by default
 */
public record PcapProperties(
        @Nullable Path path,
        @DefaultValue("1813") int port,
        @DefaultValue("destination") Side side,
        @Nullable String secret,
        @DefaultValue("false") boolean pace,
        @Nullable Double speed)
        implements FeedDefinition {

    @Override
    public String describe() {
        return "capture " + path;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        RadiusFeedFactory.requirePackets("pcap", schema, check);
        Path file = Objects.requireNonNull(path);
        check.content("path", file, () -> ContentCheck.requireUnpacked(file));
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) throws IOException {
        FeedFile.connect(Objects.requireNonNull(path), check);
    }

    @Override
    public Feed create(FeedContext context) {
        return new PcapFeed(
                Objects.requireNonNull(path),
                new PortFilter(port, side),
                new AccountingRequestFramer(secret == null ? null : Secret.of(secret)),
                !pace ? 0 : speed == null ? 1 : speed,
                context.batchRecords());
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "pcap[path=" + path + ", port=" + port + ", side=" + side + ", pace=" + pace + ", speed=" + speed + "]";
    }
}
