package io.millrace.feed.radius;

import io.millrace.feed.pcap.PortFilter.Side;
import java.nio.file.Path;
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
        @Nullable Double speed) {

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "pcap[path=" + path + ", port=" + port + ", side=" + side + ", pace=" + pace + ", speed=" + speed + "]";
    }
}
