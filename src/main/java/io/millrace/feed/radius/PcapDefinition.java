package io.millrace.feed.radius;

import io.millrace.codec.file.ContentCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.pcap.PcapFeed;
import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * RADIUS accounting requests of a capture file, read from its beginning to its end.
 *
 * @param ports ports of the requests' datagrams
 * @param secret shared secret of the requests, or null to accept them without verification
 * @param speed replay speed as a multiple of the captured speed, or 0 for no limit
 */
record PcapDefinition(Path path, PortFilter ports, @Nullable Secret secret, double speed) implements FeedDefinition {

    @Override
    public String describe() {
        return "capture " + path;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        RadiusDefinition.requirePackets("pcap", schema, check);
        check.content("path", path, () -> ContentCheck.requireUnpacked(path));
    }

    @Override
    public Feed create(FeedContext context) {
        return new PcapFeed(path, ports, new AccountingRequestFramer(secret), speed, context.batchRecords());
    }
}
