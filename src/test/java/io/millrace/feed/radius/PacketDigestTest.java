package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.radius.Packets.Exchange;
import io.millrace.feed.radius.packet.PacketDigest;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.millrace.feed.radius.packet.Secret;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PacketDigestTest {

    private static final byte[] STATUS =
            Packets.hex("0cb30026925f6b66dd5fed571fcb1db7ad3882605012e8d6eabda910875cd91fdade26367858");

    private final PacketDigest digest = new PacketDigest();

    @Test
    void shouldCompareAllOfAnAuthenticator() {
        byte[] expected = Arrays.copyOfRange(STATUS, 4, 20);
        assertThat(RadiusPacket.hasAuthenticator(STATUS, 4, expected)).isTrue();
        for (int bit = 0; bit < 128; bit++) {
            byte[] other = expected.clone();
            other[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(RadiusPacket.hasAuthenticator(STATUS, 4, other)).isFalse();
        }
    }

    @Test
    void shouldGiveTheMessageAuthenticatorOfRfc5997() {
        assertThat(digest.messageAuthenticator(STATUS, 0, STATUS.length, 22, Secret.of("xyzzy5461")))
                .isEqualTo(Arrays.copyOfRange(STATUS, 22, 38));
    }

    @Test
    void shouldGiveTheAuthenticatorsOfFreeRadius() {
        Secret secret = Secret.of(Packets.SECRET);
        int requests = 0;
        for (Exchange exchange : Packets.freeRadius()) {
            byte[] request = exchange.request();
            if (request[0] == 4) {
                boolean right = Arrays.equals(
                        digest.requestAuthenticator(request, 0, request.length, secret),
                        Arrays.copyOfRange(request, 4, 20));
                assertThat(right).isEqualTo(exchange.response().length > 0);
                requests++;
            }
        }
        assertThat(requests).isEqualTo(6);
    }

    @Property(tries = 200)
    void shouldGiveTheHmacOfThePlatform(@ForAll @Size(min = 1, max = 200) byte[] secret, @ForAll byte[] attribute) {
        byte[] some = Arrays.copyOf(attribute, Math.min(attribute.length, 253));
        byte[] packet = Packets.unsigned(4, 7, Packets.attribute(80, new int[16]), Packets.attribute(250, ints(some)));
        String text = Arrays.toString(secret);
        byte[] expected = Packets.hmac(packet, text);
        // Neither counts in an Accounting-Request.
        Arrays.fill(packet, 4, 20, (byte) 0x55);
        Arrays.fill(packet, 22, 38, (byte) 0x55);

        assertThat(digest.messageAuthenticator(packet, 0, packet.length, 22, Secret.of(text)))
                .isEqualTo(expected);
    }

    private static int[] ints(byte[] bytes) {
        int[] ints = new int[bytes.length];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = bytes[i];
        }
        return ints;
    }

    @Test
    void shouldNotRevealTheSecret() {
        RadiusClient client = new RadiusClient(AddressRange.parse("10.0.0.0/8"), Secret.of("hush"), false, false);

        assertThat(client.toString()).contains("10.0.0.0/8").doesNotContain("hush");
    }
}
