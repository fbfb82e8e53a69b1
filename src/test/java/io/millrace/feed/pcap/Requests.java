package io.millrace.feed.pcap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Builds RADIUS accounting requests that differ. */
final class Requests {

    static final String SECRET = "a secret";

    private Requests() {}

    /** A request with a number in it, that has so many bytes and the authenticator that the secret makes. */
    static byte[] request(int number, int length) {
        ByteBuffer packet = ByteBuffer.allocate(length)
                .put((byte) 4)
                .put((byte) number)
                .putShort((short) length)
                .position(20);
        packet.put((byte) 55).put((byte) 6).putInt(number);
        while (packet.hasRemaining()) {
            int attribute = packet.remaining() > 256 ? 250 : packet.remaining();
            packet.put((byte) 25).put((byte) Math.min(attribute, 255)).position(packet.position() + attribute - 2);
        }
        return sign(packet.array());
    }

    /** A short request with a number in it. */
    static byte[] request(int number) {
        return request(number, 40);
    }

    /** Gives a request the authenticator that the secret makes. */
    static byte[] sign(byte[] request) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            Arrays.fill(request, 4, 20, (byte) 0);
            md5.update(request);
            System.arraycopy(md5.digest(SECRET.getBytes(StandardCharsets.UTF_8)), 0, request, 4, 16);
            return request;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
