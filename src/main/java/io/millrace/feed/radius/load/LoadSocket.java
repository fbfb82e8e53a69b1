package io.millrace.feed.radius.load;

import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;

import io.millrace.feed.radius.packet.DatagramSender;
import io.millrace.feed.radius.packet.PacketDigest;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.millrace.feed.radius.packet.RequestSigner;
import io.millrace.feed.radius.packet.Secret;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One socket of a load client: up to 256 outstanding requests, distinguished by their identifiers. */
final class LoadSocket extends ChannelInboundHandlerAdapter {

    private static final int IDENTIFIERS = 256;
    private static final long RETRANSMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LONGEST_ANSWER = 64;

    private final LoadPacer pacer;
    private final RequestSource requests;
    private final RequestSigner signer;
    private final PacketDigest digest = new PacketDigest();
    private final Secret secret;
    private final byte[][] packets;
    private final int[] lengths = new int[IDENTIFIERS];
    private final long[] firstSent = new long[IDENTIFIERS];
    private final long[] lastSent = new long[IDENTIFIERS];
    private final boolean[] pending = new boolean[IDENTIFIERS];
    private final int[] free = new int[IDENTIFIERS];
    private final byte[] answer = new byte[LONGEST_ANSWER];
    private final byte[] signed = new byte[LONGEST_ANSWER];
    private int freeCount;
    private final InetSocketAddress server;
    private @Nullable DatagramSender sender;

    LoadSocket(LoadClient.Plan plan, LoadPacer pacer) {
        this.pacer = pacer;
        this.server = plan.server();
        this.secret = plan.secret();
        this.requests = plan.requests();
        this.signer = new RequestSigner(secret);
        this.packets = new byte[plan.window()][RequestSource.LONGEST];
        // Identifiers are allocated from the end of the array.
        for (int i = 0; i < plan.window(); i++) {
            free[freeCount++] = plan.window() - 1 - i;
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        sender = new DatagramSender(ctx);
    }

    /** Sends new requests, at most so many and at most as many as the window allows. */
    void fill(int maxRequests) {
        if (sender == null) {
            return;
        }
        long now = System.nanoTime();
        for (int i = 0; i < maxRequests && freeCount > 0; i++) {
            int identifier = free[--freeCount];
            firstSent[identifier] = now;
            pacer.sent(now);
            byte[] packet = packets[identifier];
            lengths[identifier] = requests.next(packet);
            packet[1] = (byte) identifier;
            signer.sign(packet, 0, lengths[identifier]);
            pending[identifier] = true;
            send(identifier, now);
        }
        sender.flush();
    }

    /** Retransmits requests that have been outstanding for too long. */
    void sendAgain(long now) {
        for (int identifier = 0; identifier < packets.length; identifier++) {
            if (pending[identifier] && now - lastSent[identifier] > RETRANSMIT_NANOS) {
                pacer.again();
                send(identifier, now);
            }
        }
    }

    private void send(int identifier, long now) {
        lastSent[identifier] = now;
        Objects.requireNonNull(sender).send(packets[identifier], lengths[identifier], server);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        try {
            int length = packet.content().readableBytes();
            if (length < HEADER || length > answer.length) {
                pacer.wrong();
                return;
            }
            packet.content().getBytes(packet.content().readerIndex(), answer, 0, length);
            takeResponse(length);
        } finally {
            packet.release();
        }
    }

    private void takeResponse(int length) {
        int identifier = answer[1] & 0xFF;
        if (!pending[identifier] || !isGenuine(packets[identifier], length)) {
            pacer.wrong();
            return;
        }
        long now = System.nanoTime();
        pending[identifier] = false;
        free[freeCount++] = identifier;
        pacer.answered(now - firstSent[identifier], now);
    }

    private boolean isGenuine(byte[] request, int length) {
        System.arraycopy(answer, 0, signed, 0, length);
        System.arraycopy(request, AUTHENTICATOR_AT, signed, AUTHENTICATOR_AT, AUTHENTICATOR);
        byte[] expected = digest.responseAuthenticator(signed, 0, length, secret);
        return RadiusPacket.hasAuthenticator(answer, AUTHENTICATOR_AT, expected);
    }

    /** Disables segmentation after the network rejected a datagram; the requests in it are retransmitted. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Objects.requireNonNull(sender).sendApart();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        fill(pacer.onAnswer(System.nanoTime()));
    }
}
