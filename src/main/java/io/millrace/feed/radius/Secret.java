package io.millrace.feed.radius;

import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What server and client share to know each other's packets by. Its octets never leave this package, and its text form
 * does not tell them. Immutable.
 */
public final class Secret {

    /** Octets of a block of MD5, which HMAC pads its key to (RFC 2104, section 2). */
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

    /** The secret of this text, in UTF-8. */
    public static Secret of(String text) {
        return new Secret(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The octets that end what is digested for an authenticator; not to be changed. */
    byte[] octets() {
        return octets;
    }

    /** The block that begins HMAC's inner digest; not to be changed. */
    byte[] innerPad() {
        return innerPad;
    }

    /** The block that begins HMAC's outer digest; not to be changed. */
    byte[] outerPad() {
        return outerPad;
    }

    private static byte[] pad(byte[] key, byte with) {
        byte[] pad = Arrays.copyOf(key, BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            pad[i] ^= with;
        }
        return pad;
    }

    @Override
    public String toString() {
        return "*".repeat(AUTHENTICATOR);
    }
}
