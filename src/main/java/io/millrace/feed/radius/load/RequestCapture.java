package io.millrace.feed.radius.load;

import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.NAS_IP_ADDRESS;

import io.millrace.codec.RawBytes;
import io.millrace.feed.pcap.PcapWriter;
import io.millrace.feed.pcap.UdpFrame;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.millrace.feed.radius.packet.RequestSigner;
import io.millrace.feed.radius.packet.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes accounting requests as a capture (pcap, nanoseconds, Ethernet) of packets that NASs send to port 1813 of the
 * server 10.34.255.1. Each NAS increments its identifiers, so that each identifier is reused as late as possible.
 * Buffers the capture in memory until it is moved to a stream. Not thread-safe.
 */
public final class RequestCapture {

    private static final int SERVER = 0x0A22FF01;
    private static final int SERVER_PORT = 1813;
    private static final int NAS_PORT = 40_000;

    private final PcapWriter writer = new PcapWriter(ByteOrder.LITTLE_ENDIAN, true, UdpFrame.ETHERNET);
    private final RequestSigner signer;
    private final Map<Integer, Integer> sentByNas = new HashMap<>();

    /** @param secret that signs the requests */
    public RequestCapture(Secret secret) {
        signer = new RequestSigner(secret);
    }

    /**
     * Assigns the identifier of the request at the start of the array, signs the request and adds it as a packet from
     * its NAS-IP-Address, which must be present.
     *
     * @param epochNanos time of capture, in nanoseconds since 1970
     */
    public void add(byte[] request, int length, long epochNanos) {
        int nasAddress = RawBytes.getInt(request, nasAddressAt(request));
        request[1] = (byte) (sentByNas.merge(nasAddress, 1, Integer::sum) - 1);
        signer.sign(request, 0, length);
        writer.packet(epochNanos, UdpFrame.of(nasAddress, NAS_PORT, SERVER, SERVER_PORT, request, 0, length));
    }

    private static int nasAddressAt(byte[] request) {
        int at = HEADER;
        while (request[at] != NAS_IP_ADDRESS) {
            at += request[at + 1] & 0xFF;
        }
        return at + RadiusPacket.ATTRIBUTE_HEADER;
    }

    /** Moves the packets added since the last call to a stream. */
    public void moveTo(OutputStream stream) throws IOException {
        writer.moveTo(stream);
    }
}
