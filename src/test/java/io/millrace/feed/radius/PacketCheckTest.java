package io.millrace.feed.radius;

import static io.millrace.feed.radius.Packets.NAS;
import static io.millrace.feed.radius.Packets.SECRET;
import static io.millrace.feed.radius.Packets.START;
import static io.millrace.feed.radius.Packets.attribute;
import static io.millrace.feed.radius.Packets.request;
import static io.millrace.feed.radius.Packets.sign;
import static io.millrace.feed.radius.Packets.unsigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.radius.Packets.Exchange;
import io.millrace.feed.radius.packet.PacketDigest;
import io.millrace.feed.radius.packet.Secret;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketCheckTest {

    private static final byte[] SESSION = attribute(44, "81d0");
    private static final byte[] UNSIGNED_MESSAGE = attribute(80, new int[16]);
    private static final AddressRange ALL = AddressRange.parse("0.0.0.0/0");
    private static final RadiusClient STRICT = new RadiusClient(ALL, Secret.of(SECRET), false, true);
    private static final RadiusClient ZERO = new RadiusClient(ALL, Secret.of(SECRET), true, false);
    private static final RadiusClient CLIENT = new RadiusClient(ALL, Secret.of(SECRET), false, false);

    private final PacketCheck check = new PacketCheck(new PacketDigest());

    private @Nullable Discard check(byte[] packet) {
        return check(packet, CLIENT);
    }

    private @Nullable Discard check(byte[] packet, RadiusClient client) {
        byte[] dirty = new byte[4096];
        Arrays.fill(dirty, (byte) 0xA5);
        System.arraycopy(packet, 0, dirty, 0, Math.min(packet.length, dirty.length));
        return check.check(dirty, Math.min(packet.length, dirty.length), client);
    }

    @Test
    void shouldTakeWhatFreeRadiusTook() {
        for (Exchange exchange : Packets.freeRadius()) {
            assertThat(check(exchange.request()) == null).isEqualTo(exchange.response().length > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cisco_accounting.packet", "motorola_accounting.packet"})
    void shouldTakeRequestsOfOtherVendors(String file) {
        byte[] packet = Packets.read(file);
        assertThat(check(packet)).isEqualTo(Discard.BAD_AUTHENTICATOR);

        assertThat(check(sign(packet, SECRET))).isNull();
        assertThat(check.length()).isEqualTo(packet.length);
    }

    @Test
    void shouldIgnorePadding() {
        byte[] packet = Packets.start(1, "a");
        assertThat(check(Arrays.copyOf(packet, 1500))).isNull();
        assertThat(check.length()).isEqualTo(packet.length);
    }

    @Test
    void shouldDiscardWhatIsCutAtAnyLength() {
        byte[] packet = Packets.start(1, "a");
        for (int length = 0; length < packet.length; length++) {
            assertThat(check(Arrays.copyOf(packet, length))).isEqualTo(Discard.TRUNCATED);
        }
    }

    @Test
    void shouldDiscardLengthsThatNoPacketHas() {
        byte[] packet = Packets.start(1, "a");
        for (int length : new int[] {0, 19, 4097, 65535}) {
            packet[2] = (byte) (length >> 8);
            packet[3] = (byte) length;
            assertThat(check(packet)).isEqualTo(Discard.BAD_LENGTH);
        }
    }

    @Test
    void shouldDiscardAllOtherCodes() {
        byte[] packet = Packets.start(1, "a");
        for (int code = 0; code < 256; code++) {
            packet[0] = (byte) code;
            if (code != 4 && code != 12) {
                assertThat(check(sign(packet, SECRET))).isEqualTo(Discard.UNEXPECTED_CODE);
            }
        }
    }

    @Test
    void shouldDiscardAttributesThatDoNotFillThePacket() {
        byte[] zero = {99, 0};
        byte[] one = {99, 1};
        byte[] beyond = {99, 3};
        byte[] alone = {99};
        for (byte[] last : new byte[][] {zero, one, beyond, alone}) {
            assertThat(check(request(1, START, SESSION, NAS, last))).isEqualTo(Discard.MALFORMED_ATTRIBUTE);
        }
    }

    @Test
    void shouldDiscardAnyChangeOfASignedPacket() {
        byte[] packet = Packets.start(1, "a");
        for (int at = 4; at < packet.length; at++) {
            byte[] changed = packet.clone();
            changed[at] ^= 1;
            assertThat(check(changed)).isIn(Discard.BAD_AUTHENTICATOR, Discard.MALFORMED_ATTRIBUTE);
        }
    }

    @Test
    void shouldTakeAnUnsignedRequestOnlyWhereItsClientNeedNotSign() {
        byte[] packet = unsigned(4, 1, START, SESSION, NAS);

        assertThat(check(packet)).isEqualTo(Discard.BAD_AUTHENTICATOR);
        assertThat(check(packet, ZERO)).isNull();
        long digest = check.digestLow();
        packet[1] = 2;
        assertThat(check(packet, ZERO)).isNull();
        assertThat(check.digestLow()).isNotEqualTo(digest);
        assertThat(check(sign(packet, "wrong"), ZERO)).isEqualTo(Discard.BAD_AUTHENTICATOR);
        assertThat(check(sign(packet, SECRET), ZERO)).isNull();
    }

    @Test
    void shouldCheckAMessageAuthenticatorWhereThereIsOne() {
        assertThat(check(request(1, START, SESSION, NAS, UNSIGNED_MESSAGE))).isNull();
        assertThat(check(request(1, START, SESSION, NAS, UNSIGNED_MESSAGE), STRICT))
                .isNull();
        assertThat(check(request(1, START, SESSION, NAS), STRICT)).isEqualTo(Discard.MISSING_MESSAGE_AUTHENTICATOR);
        // Not last, so it is not signed.
        assertThat(check(request(1, UNSIGNED_MESSAGE, START, SESSION, NAS)))
                .isEqualTo(Discard.BAD_MESSAGE_AUTHENTICATOR);
        assertThat(check(request(1, START, SESSION, NAS, attribute(80, new int[15]))))
                .isEqualTo(Discard.BAD_MESSAGE_AUTHENTICATOR);
        assertThat(check(request(1, START, SESSION, NAS, UNSIGNED_MESSAGE, UNSIGNED_MESSAGE)))
                .isEqualTo(Discard.BAD_MESSAGE_AUTHENTICATOR);
    }

    @Test
    void shouldRequireWhatEveryRequestHas() {
        assertThat(check(request(1, SESSION, NAS))).isEqualTo(Discard.MISSING_ATTRIBUTE);
        assertThat(check(request(1, START, NAS))).isEqualTo(Discard.MISSING_ATTRIBUTE);
        assertThat(check(request(1, START, SESSION))).isEqualTo(Discard.MISSING_ATTRIBUTE);
        assertThat(check(request(1, START, SESSION, attribute(32, "nas")))).isNull();
        assertThat(check(request(1, START, START, SESSION, NAS))).isEqualTo(Discard.REPEATED_ATTRIBUTE);
        assertThat(check(request(1, START, SESSION, SESSION, NAS))).isEqualTo(Discard.REPEATED_ATTRIBUTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 18, 24, 60})
    void shouldRefuseWhatNoRequestMayHave(int type) {
        assertThat(check(request(1, START, SESSION, NAS, attribute(type, new int[16]))))
                .isEqualTo(Discard.FORBIDDEN_ATTRIBUTE);
    }

    @Test
    void shouldKeepUnknownAttributesAndMalformedValues() {
        byte[] cutVendor = attribute(26, 0, 0);
        byte[] cutExtended = attribute(241);
        byte[] shortAddress = attribute(8, 1);
        byte[] shortStatus = attribute(40, 1);

        assertThat(check(request(1, shortStatus, SESSION, NAS, cutVendor, cutExtended, shortAddress, attribute(199))))
                .isNull();
    }

    @Test
    void shouldCheckAStatusRequest() {
        byte[] status = Packets.hex("0cb30026925f6b66dd5fed571fcb1db7ad3882605012e8d6eabda910875cd91fdade26367858");
        RadiusClient client = new RadiusClient(ALL, Secret.of("xyzzy5461"), false, false);

        assertThat(check(status, client)).isNull();
        assertThat(check.isStatus()).isTrue();
        assertThat(check(status)).isEqualTo(Discard.BAD_MESSAGE_AUTHENTICATOR);
        assertThat(check(unsigned(12, 1))).isEqualTo(Discard.MISSING_MESSAGE_AUTHENTICATOR);
    }
}
