package io.millrace.feed.radius;

import static io.millrace.feed.radius.RadiusPacket.HEADER;
import static io.millrace.feed.radius.RadiusPacket.NAS_IP_ADDRESS;

import io.millrace.codec.RawBytes;
import io.millrace.feed.pcap.PcapWriter;
import io.millrace.feed.pcap.UdpFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes accounting requests as a capture (pcap, nanoseconds, Ethernet) of what NASs send to port 1813 of the server
 * 10.34.255.1. Each NAS counts its identifiers up, so that the same one comes again as late as it can. The capture
 * gathers in memory until it is moved to a stream. Not thread-safe.
 */
public final class RequestCapture {

    private static final int SERVER = 0x0A22FF01;
    private static final int SERVER_PORT = 1813;
    private static final int NAS_PORT = 40_000;

    private final PcapWriter writer = new PcapWriter(ByteOrder.LITTLE_ENDIAN, true, UdpFrame.ETHERNET);
    private final RequestSigner signer;
    private final Map<Integer, Integer> sentByNas = new HashMap<>();

    /** @param secret that the requests' authenticators are made with */
    public RequestCapture(Secret secret) {
        signer = new RequestSigner(secret);
    }

    /**
     * Numbers and signs the request at the array's beginning and adds it, sent from its NAS-IP-Address, which it must
     * have.
     *
     * @param epochNanos when it was captured
     */
    public void add(byte[] request, int length, long epochNanos) {
        int from = RawBytes.getInt(request, nasAddressAt(request));
        request[1] = (byte) (sentByNas.merge(from, 1, Integer::sum) - 1);
        signer.sign(request, 0, length);
        writer.packet(epochNanos, UdpFrame.of(from, NAS_PORT, SERVER, SERVER_PORT, request, 0, length));
    }

    private static int nasAddressAt(byte[] request) {
        int at = HEADER;
        while (request[at] != NAS_IP_ADDRESS) {
            at += request[at + 1] & 0xFF;
        }
        return at + RadiusPacket.ATTRIBUTE_HEADER;
    }

    /** Moves what was added since the last time. */
    public void moveTo(OutputStream stream) throws IOException {
        writer.moveTo(stream);
    }
}
