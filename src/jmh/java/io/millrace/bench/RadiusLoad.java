package io.millrace.bench;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.radius.AddressRange;
import io.millrace.feed.radius.NumberedRequests;
import io.millrace.feed.radius.RadiusClient;
import io.millrace.feed.radius.RadiusFeed;
import io.millrace.feed.radius.RadiusSettings;
import io.millrace.feed.radius.load.LoadClient;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Sends distinct accounting requests over loopback as fast as they are answered, then at half of that rate, and prints
 * answers a second and latencies. Against any server that runs already:
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.RadiusLoad -Dbench="1813 testing123 1000000 8 64 1"</pre>
 *
 * The arguments are port, secret, requests, sockets, requests of a socket that wait for an answer, and how often to do
 * it. Port 0 means the feed of this project alone, in this process, with a store that keeps nothing: what the network,
 * the checks and the answers cost.
 *
 * <p>The requests are Interim-Updates of 391 bytes as a mobile network sends them, with the attributes of its packet
 * core; their Acct-Session-Id makes them distinct.
 */
public final class RadiusLoad {

    private static final int SECONDS = 120;

    private static final byte[] TEMPLATE = template();

    private RadiusLoad() {}

    static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        if (port == 0) {
            try (RadiusFeed feed = feed(args[1])) {
                feed.open(0);
                Thread pipeline = new Thread(() -> storeNothing(feed), "pipeline");
                pipeline.setDaemon(true);
                pipeline.start();
                measure(feed.address(), args);
                feed.counts().forEach((name, counter) -> System.out.printf("%s %d; ", name, counter.get()));
            }
        } else {
            measure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), args);
        }
    }

    private static void measure(InetSocketAddress server, String[] args) throws InterruptedException {
        long count = Long.parseLong(args[2]);
        for (int i = Integer.parseInt(args[5]); i > 0; i--) {
            LoadClient.Result full = run(server, args, count, 0);
            print("as fast as answered", full);
            print("at half of that", run(server, args, count / 2, (long) full.perSecond() / 2));
        }
    }

    private static LoadClient.Result run(InetSocketAddress server, String[] args, long count, long rate)
            throws InterruptedException {
        int sockets = Integer.parseInt(args[3]);
        int window = Integer.parseInt(args[4]);
        NumberedRequests requests = new NumberedRequests(TEMPLATE);
        return new LoadClient(new LoadClient.Plan(
                        server, Secret.of(args[1]), requests, sockets, window, count, rate, SECONDS))
                .run();
    }

    private static void print(String what, LoadClient.Result result) {
        System.out.printf(
                Locale.ROOT,
                "%s: %,.0f answers/s; %,d sent, %,d answered, %,d sent again, %,d wrong; p50 %,d us, p99 %,d us%n",
                what,
                result.perSecond(),
                result.sent(),
                result.answered(),
                result.again(),
                result.wrong(),
                result.latency().percentile(0.5) / 1000,
                result.latency().percentile(0.99) / 1000);
    }

    private static RadiusFeed feed(String secret) {
        RadiusClient client = new RadiusClient(AddressRange.parse("127.0.0.0/8"), Secret.of(secret), false, false);
        RadiusSettings options = new RadiusSettings(
                "127.0.0.1",
                0,
                List.of(client),
                Duration.ofSeconds(10),
                1 << 18,
                1 << 16,
                16 << 20,
                new FairShare(0.75),
                Duration.ofSeconds(1),
                4 << 20);
        return new RadiusFeed(options, 2048);
    }

    /** Does as a pipeline does: answers once no more have come, or five milliseconds after the first. */
    private static void storeNothing(RadiusFeed feed) {
        RecordBatch batch = new RecordBatch(new Schema("packet", 0, List.of(), List.of()));
        boolean unanswered = false;
        long since = 0;
        try {
            while (true) {
                Poll poll = feed.poll(batch, unanswered ? Duration.ZERO : Duration.ofMillis(5));
                if (poll == Poll.RECORDS && !unanswered) {
                    unanswered = true;
                    since = System.nanoTime();
                }
                if (unanswered && (poll != Poll.RECORDS || System.nanoTime() - since >= 5_000_000)) {
                    unanswered = false;
                    feed.stored();
                }
            }
        } catch (IOException closed) {
            // the end
        }
    }

    private static byte[] template() {
        return HexFormat.of()
                .parseHex("040d0187e7021756744b6c63f43b8d8d56f1edd90111393939393930303030303030303031280600"
                        + "0000032c123041303030303031303030304130303104067f00000108060a0102031e0a696e746572"
                        + "6e65741f0d39393930303030303030310606000000020706000000073d060000000537066553f100"
                        + "1a17000028af01113939393939303030303030303030311a0c000028af020600bc614e1a0c000028"
                        + "af0306000000001a1f000028af051930382d34433038303030343933453030303034393345301a0c"
                        + "000028af0606c00002011a0c000028af0706c00002021a0d000028af080739393939391a0d000028"
                        + "af090739393939391a0d000028af120739393939391a09000028af0a03351a09000028af0c03301a"
                        + "0c000028af0d06303830301a18000028af1412303130323033303430353036303730381a09000028"
                        + "af1503061a15000028af160f8299f999123499f9990000abcd1a0a000028af170440002e06000002"
                        + "582a06000003e82b06000007d03406000000012f060000000a300600000014");
    }
}
