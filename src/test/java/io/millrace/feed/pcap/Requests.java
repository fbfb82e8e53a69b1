package io.millrace.feed.pcap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Builds RADIUS accounting requests that differ. */
final class Requests {

    static final byte[] SECRET = "a secret".getBytes(StandardCharsets.UTF_8);

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
        byte[] bytes = packet.array();
        System.arraycopy(authenticator(bytes), 0, bytes, 4, 16);
        return bytes;
    }

    /** A short request with a number in it. */
    static byte[] request(int number) {
        return request(number, 40);
    }

    private static byte[] authenticator(byte[] bytes) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(bytes);
            return md5.digest(SECRET);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
