package io.millrace.feed.radius.packet;

import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The secret that a server shares with its clients. Its octets do not leave this package, and its text form masks them.
 * Immutable.
 */
public final class Secret {

    /** Block length of MD5 in octets, to which HMAC pads its key (RFC 2104, section 2). */
    private static final int BLOCK = 64;

    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5C;

    private final byte[] octets;
    private final byte[] innerPad;
    private final byte[] outerPad;

    private Secret(byte[] octets) {
        this.octets = octets;
        byte[] key = octets.length <= BLOCK ? octets : Md5.of(octets);
        this.innerPad = pad(key, INNER);
        this.outerPad = pad(key, OUTER);
    }

    /** Returns the secret with this text, encoded in UTF-8. */
    public static Secret of(String text) {
        return new Secret(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the octets that end the input of an authenticator's digest; callers must not change them. */
    byte[] octets() {
        return octets;
    }

    /** Returns the block that begins HMAC's inner digest; callers must not change it. */
    byte[] innerPad() {
        return innerPad;
    }

    /** Returns the block that begins HMAC's outer digest; callers must not change it. */
    byte[] outerPad() {
        return outerPad;
    }

    private static byte[] pad(byte[] key, byte mask) {
        byte[] pad = Arrays.copyOf(key, BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            pad[i] ^= mask;
        }
        return pad;
    }

    @Override
    public String toString() {
        return "*".repeat(AUTHENTICATOR);
    }
}
