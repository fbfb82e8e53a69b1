package io.millrace.feed.radius;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Packets for tests, made and signed by other means than those that are tested. */
final class Packets {

    static final String SECRET = "testing123";
    static final byte[] START = attribute(40, 0, 0, 0, 1);
    static final byte[] NAS = attribute(4, 10, 0, 3, 4);

    private Packets() {}

    static byte[] attribute(int type, int... value) {
        byte[] attribute = new byte[value.length + 2];
        attribute[0] = (byte) type;
        attribute[1] = (byte) attribute.length;
        for (int i = 0; i < value.length; i++) {
            attribute[i + 2] = (byte) value[i];
        }
        return attribute;
    }

    static byte[] attribute(int type, String text) {
        return attribute(type, text.chars().toArray());
    }

    /** A packet whose authenticator is still zero. */
    static byte[] unsigned(int code, int identifier, byte[]... attributes) {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(new byte[20]);
        for (byte[] attribute : attributes) {
            packet.writeBytes(attribute);
        }
        byte[] bytes = packet.toByteArray();
        ByteBuffer.wrap(bytes).put((byte) code).put((byte) identifier).putShort((short) bytes.length);
        return bytes;
    }

    /** A signed Accounting-Request of these attributes. */
    static byte[] request(int identifier, byte[]... attributes) {
        return sign(unsigned(4, identifier, attributes), SECRET);
    }

    /** A signed Accounting-Request of a session's start. */
    static byte[] start(int identifier, String session) {
        return request(identifier, START, attribute(44, session), NAS);
    }

    /** Sets the Request Authenticator, and a Message-Authenticator if there is one, which lies last. */
    static byte[] sign(byte[] packet, String secret) {
        Arrays.fill(packet, 4, 20, (byte) 0);
        int length = packet.length;
        if (length >= 38 && packet[length - 18] == 80 && packet[length - 17] == 18) {
            Arrays.fill(packet, length - 16, length, (byte) 0);
            System.arraycopy(hmac(packet, secret), 0, packet, length - 16, 16);
        }
        System.arraycopy(md5(packet, secret), 0, packet, 4, 16);
        return packet;
    }

    /** The response that a request must get, with these attributes. */
    static byte[] response(byte[] request, String secret, byte[]... attributes) {
        byte[] response = unsigned(5, request[1], attributes);
        System.arraycopy(request, 4, response, 4, 16);
        byte[] authenticator = md5(response, secret);
        System.arraycopy(authenticator, 0, response, 4, 16);
        return response;
    }

    static byte[] hmac(byte[] packet, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacMD5");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacMD5"));
            return mac.doFinal(packet);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] md5(byte[] packet, String secret) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(packet);
            return md5.digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static InetSocketAddress sender(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    /** A packet of a file beside this class. */
    static byte[] read(String name) {
        try (InputStream in = Objects.requireNonNull(Packets.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What passed between FreeRADIUS's client and server. */
    static List<Exchange> freeRadius() {
        List<Exchange> exchanges = new ArrayList<>();
        for (String line : new String(read("freeradius-3gpp.txt"), StandardCharsets.UTF_8).split("\n", -1)) {
            String[] words = line.split(" ", -1);
            if (!line.isEmpty() && !line.startsWith("#")) {
                exchanges.add(new Exchange(hex(words[0]), "-".equals(words[1]) ? new byte[0] : hex(words[1])));
            }
        }
        return exchanges;
    }

    /** A request, and its response; empty where there was none. */
    record Exchange(byte[] request, byte[] response) {}
}
