package io.millrace.feed.pcap;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.Split;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A capture of made-up accounting, and what must become of it. Between whole requests lies what else a capture holds:
 * packets that are none, requests in fragments that other packets come between, requests of which too little was
 * captured, malformed ones, forged ones, ones without a status; and the file ends in the middle of a packet.
 */
public final class AccountingCapture {

    /** What the requests are made with. */
    public static final String SECRET = Requests.SECRET;

    private static final Schema SCHEMA = Schemas.builtIn().get("radius-accounting");
    private static final int BATCH = 4096;
    private static final int ETHERNET = 1;
    private static final int FRAGMENT_BYTES = 96;
    private static final long NANOS_BETWEEN = 1_000_000;
    private static final int STATUS = 40;

    /** What lies before a request in a frame: headers of Ethernet, of IP with its options, of UDP. */
    private static final int HEADERS = 14 + 24 + 8;

    private final NavigableMap<Long, byte[]> requests = new TreeMap<>();
    private final NavigableMap<Long, byte[]> rejects = new TreeMap<>();
    private final PcapWriter writer = new PcapWriter(ETHERNET);
    private final Random random;
    private long nanos;
    private long position;
    private int identification;
    /** A request whose last fragment is still to come, and that fragment. */
    private byte @Nullable [] unfinished;

    private byte[] lastFragment = new byte[0];

    private AccountingCapture(long seed) {
        random = new Random(seed);
    }

    /** Writes the capture of so many requests. */
    public static AccountingCapture write(Path file, int count, long seed) throws IOException {
        AccountingCapture capture = new AccountingCapture(seed);
        RecordBatch batch = new RecordBatch(SCHEMA);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                GeneratorFeed generator = new GeneratorFeed(SCHEMA, seed, count, 0, BATCH, Split.WHOLE)) {
            generator.open(0);
            while (generator.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                for (int i = 0; i < batch.count(); i++) {
                    int at = batch.offset(i);
                    capture.request(Requests.sign(Arrays.copyOfRange(batch.bytes(), at, at + batch.length(i))));
                }
                capture.writer.moveTo(out);
            }
            byte[] end = capture.cutPacket();
            capture.writer.moveTo(out);
            out.write(end);
        }
        return capture;
    }

    /** Requests that can be taken, by position. */
    public NavigableMap<Long, byte[]> requests() {
        return Collections.unmodifiableNavigableMap(requests);
    }

    /** What must be kept as a reject, by position. */
    public NavigableMap<Long, byte[]> rejects() {
        return Collections.unmodifiableNavigableMap(rejects);
    }

    /** The value of a request's first attribute of a type. */
    public static byte[] attribute(byte[] request, int type) {
        int at = attributeAt(request, type);
        return Arrays.copyOfRange(request, at + 2, at + request[at + 1]);
    }

    private static int attributeAt(byte[] request, int type) {
        int at = 20;
        while (request[at] != type) {
            at += request[at + 1] & 0xff;
        }
        return at;
    }

    private void request(byte[] request) {
        switch (random.nextInt(40)) {
            case 0 -> frame(Frames.ethernet(Frames.ipv4(Frames.TCP, request)));
            case 1 -> datagram(Frames.udp(Frames.PORT, 40_000, request));
            case 2 -> statusServer(request);
            case 3 -> forged(request);
            case 4 -> frame(Frames.ethernet(fragments(request).getFirst())); // and never the others
            default -> {}
        }
        switch (random.nextInt(40)) {
            case 0 -> cut(request);
            case 1 -> malformed(request);
            case 2 -> withoutStatus(request);
            case 3, 4, 5 -> fragmented(request);
            default -> whole(request);
        }
    }

    private void statusServer(byte[] request) {
        byte[] other = request.clone();
        other[0] = 12;
        datagram(Frames.udp(other));
    }

    private void forged(byte[] request) {
        byte[] other = request.clone();
        other[4 + random.nextInt(16)]++;
        datagram(Frames.udp(other));
    }

    private void cut(byte[] request) {
        int there = 1 + random.nextInt(request.length - 1);
        byte[] frame = Frames.ethernet(Frames.ipv4(Frames.UDP, Frames.udp(request)));
        writer.packet(nanos += NANOS_BETWEEN, frame, HEADERS + there);
        rejects.put(position++, Arrays.copyOf(request, there));
    }

    private void malformed(byte[] request) {
        request[3]++;
        datagram(Frames.udp(request));
        rejects.put(position++, request);
    }

    private void withoutStatus(byte[] request) {
        request[attributeAt(request, STATUS)] = 39;
        datagram(Frames.udp(Requests.sign(request)));
        rejects.put(position++, request);
    }

    private void whole(byte[] request) {
        datagram(Frames.udp(request));
        requests.put(position++, request);
    }

    /** All but one fragment, in any order, after the one that an earlier request still lacks. */
    private void fragmented(byte[] request) {
        byte[] earlier = unfinished;
        if (earlier != null) {
            frame(Frames.ethernet(lastFragment));
            requests.put(position++, earlier);
        }
        List<byte[]> fragments = fragments(request);
        Collections.shuffle(fragments, random);
        lastFragment = fragments.removeLast();
        fragments.forEach(fragment -> frame(Frames.ethernet(fragment)));
        unfinished = request;
    }

    private List<byte[]> fragments(byte[] request) {
        identification = (identification + 1) & 0xffff;
        return Frames.fragments(identification, FRAGMENT_BYTES, Frames.udp(request));
    }

    private void datagram(byte[] udp) {
        frame(Frames.ethernet(Frames.ipv4(Frames.UDP, udp)));
    }

    private void frame(byte[] frame) {
        writer.packet(nanos += NANOS_BETWEEN, frame);
    }

    /** The beginning of a packet that the file has not all of. */
    private byte[] cutPacket() {
        byte[] there = new byte[100];
        random.nextBytes(there);
        rejects.put(position++, there);
        return Frames.join(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, (byte) 200, 0, 0, 0, (byte) 200, 0, 0, 0}, there);
    }
}
