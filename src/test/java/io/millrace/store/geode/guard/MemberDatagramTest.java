package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.nemesis.Mutations;
import io.millrace.store.geode.guard.MemberDatagram.Sender;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.geode.distributed.internal.membership.gms.messages.HeartbeatMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.HeartbeatRequestMessage;
import org.apache.geode.internal.serialization.KnownVersion;
import org.jgroups.Version;
import org.junit.jupiter.api.Test;

class MemberDatagramTest {

    private final MemberTraffic traffic;

    MemberDatagramTest() throws Exception {
        traffic = new MemberTraffic();
    }

    private static void check(byte[] datagram) throws IOException {
        MemberDatagram.check(datagram, 0, datagram.length, _ -> Sender.MEMBER, false);
    }

    /** The formats are those of these versions: with others, read them again. */
    @Test
    void shouldKnowTheFormatsOfTheseVersions() {
        assertThat(Version.string_version).isEqualTo("3.6.14");
        assertThat(KnownVersion.CURRENT.getName()).isEqualTo("1.15.0");
    }

    @Test
    void shouldAcceptWhatMembersSend() throws Exception {
        for (byte[] datagram : traffic.datagrams()) {
            assertThatCode(() -> check(datagram)).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldRefuseCutDatagrams() throws Exception {
        for (byte[] datagram : traffic.datagrams()) {
            for (int length = 0; length < datagram.length; length++) {
                byte[] cut = Arrays.copyOf(datagram, length);
                assertThatExceptionOfType(IOException.class).isThrownBy(() -> check(cut));
            }
            byte[] longer = Arrays.copyOf(datagram, datagram.length + 1);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> check(longer));
        }
    }

    @Test
    void shouldRefuseFragments() throws Exception {
        byte[] fragment = traffic.fragment();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> check(fragment))
                .withMessageContaining("Header of protocol 5");
    }

    @Test
    void shouldTakeSignsOfLifeOfMembersOnly() throws Exception {
        byte[] datagram = traffic.datagram(new HeartbeatMessage<>(1));

        MemberDatagram.check(
                datagram,
                0,
                datagram.length,
                address -> MemberTraffic.SENDER.equals(address) ? Sender.MEMBER : Sender.STRANGER,
                false);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MemberDatagram.check(datagram, 0, datagram.length, _ -> Sender.STRANGER, false))
                .withMessageContaining("not a member");
    }

    @Test
    void shouldNotAnswerFormerMembersThatAskForAHeartbeat() throws Exception {
        byte[] request = traffic.datagram(traffic.messages().stream()
                .filter(HeartbeatRequestMessage.class::isInstance)
                .findFirst()
                .orElseThrow());

        MemberDatagram.check(request, 0, request.length, _ -> Sender.MEMBER, false);
        MemberDatagram.check(request, 0, request.length, _ -> Sender.STRANGER, false);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MemberDatagram.check(request, 0, request.length, _ -> Sender.FORMER_MEMBER, false))
                .withMessageContaining("not a member any more");
        byte[] heartbeat = traffic.datagram(new HeartbeatMessage<>(1));
        MemberDatagram.check(heartbeat, 0, heartbeat.length, _ -> Sender.FORMER_MEMBER, false);
    }

    @Test
    void shouldRefusePlainMessagesWhereTheyAreEncrypted() throws Exception {
        byte[] datagram = traffic.datagram(new HeartbeatMessage<>(1));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MemberDatagram.check(datagram, 0, datagram.length, _ -> Sender.MEMBER, true))
                .withMessageContaining("Encryption");
    }

    @Test
    void shouldFailInNoOtherWay() throws Exception {
        List<byte[]> recorded = traffic.datagrams();
        Mutations mutations = new Mutations(1, recorded);
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            try {
                check(mutations.next());
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(50_000, 99_999);
    }
}
