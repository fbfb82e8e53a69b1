package io.millrace.store.geode.guard;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.geode.DataSerializer;
import org.apache.geode.distributed.internal.ShutdownMessage;
import org.apache.geode.distributed.internal.membership.InternalDistributedMember;
import org.apache.geode.distributed.internal.membership.api.MemberIdentifier;
import org.apache.geode.distributed.internal.membership.gms.GMSMembershipView;
import org.apache.geode.distributed.internal.membership.gms.locator.FindCoordinatorRequest;
import org.apache.geode.distributed.internal.membership.gms.locator.FindCoordinatorResponse;
import org.apache.geode.distributed.internal.membership.gms.messages.FinalCheckPassedMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.HeartbeatMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.HeartbeatRequestMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.InstallViewMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.JoinRequestMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.JoinResponseMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.LeaveRequestMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.NetworkPartitionMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.RemoveMemberMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.SuspectMembersMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.SuspectRequest;
import org.apache.geode.distributed.internal.membership.gms.messages.ViewAckMessage;
import org.apache.geode.distributed.internal.membership.gms.messenger.JGAddress;
import org.apache.geode.distributed.internal.membership.gms.messenger.JGroupsMessenger;
import org.apache.geode.internal.InternalDataSerializer;
import org.apache.geode.internal.serialization.KnownVersion;
import org.apache.geode.internal.serialization.VersioningIO;
import org.jgroups.Message;
import org.jgroups.protocols.FcHeader;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.TpHeader;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/** The datagrams of a cluster, written by the classes of Geode and JGroups that members write them with. */
public final class MemberTraffic {

    private static final short TRANSPORT = 75;
    private static final short UNICAST = 64;
    private static final short FLOW_CONTROL = 45;
    private static final short FRAGMENTS = 5;

    static final UUID SENDER = new UUID(1, 2);

    private final InternalDistributedMember self = member("one", 41_000);
    private final InternalDistributedMember other = member("two", 41_001);
    private final JGAddress source = address(SENDER, 41_000);
    private final JGAddress target = address(new UUID(3, 4), 41_001);

    public MemberTraffic() throws Exception {
        Class.forName(JGroupsMessenger.class.getName()); // registers its classes with JGroups
    }

    private static InternalDistributedMember member(String name, int port) {
        return new InternalDistributedMember(
                "127.0.0.1", port, name, "tag", MemberIdentifier.NORMAL_DM_TYPE, null, null);
    }

    private static JGAddress address(UUID id, int port) {
        return new JGAddress(id, new IpAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Returns a datagram of each kind. */
    public List<byte[]> datagrams() throws Exception {
        List<byte[]> all = new ArrayList<>();
        for (Object message : messages()) {
            all.add(datagram(message));
        }
        all.add(bytes(message(null).putHeader(UNICAST, UNICAST3.Header.createAckHeader(1000, (short) 1, 7))));
        all.add(bytes(message(null).putHeader(UNICAST, UNICAST3.Header.createSendFirstSeqnoHeader(7))));
        all.add(bytes(message(null).putHeader(UNICAST, UNICAST3.Header.createCloseHeader((short) 1))));
        SeqnoList missing = new SeqnoList(70, 3).add(5, 60);
        all.add(bytes(message(null)
                .setBuffer(Util.streamableToBuffer(missing))
                .putHeader(UNICAST, UNICAST3.Header.createXmitReqHeader())));
        all.add(bytes(message(new byte[Long.BYTES]).putHeader(FLOW_CONTROL, new FcHeader(FcHeader.REPLENISH))));
        all.add(list(message(payload(new HeartbeatMessage<>(1))), message(payload(new HeartbeatMessage<>(2)))));
        return all;
    }

    /** Returns a fragment of a message. */
    byte[] fragment() throws Exception {
        return bytes(message(new byte[100]).putHeader(FRAGMENTS, new FragHeader(1, 0, Integer.MAX_VALUE)));
    }

    /** Returns a datagram with a message of Geode. */
    byte[] datagram(Object message) throws Exception {
        return bytes(
                message(payload(message)).putHeader(UNICAST, UNICAST3.Header.createDataHeader(1, (short) 0, true)));
    }

    List<Object> messages() {
        Properties credentials = new Properties();
        credentials.setProperty("security-username", "peer");
        credentials.setProperty("security-password", "peer");
        GMSMembershipView<InternalDistributedMember> view = new GMSMembershipView<>(
                self, 5, List.of(self, other), Set.of(member("left", 41_002)), Set.of(member("failed", 41_003)));
        view.setPublicKey(self, new byte[300]);
        SuspectRequest<InternalDistributedMember> suspect = new SuspectRequest<>(other, "reason");
        return List.of(
                new JoinRequestMessage<>(other, self, credentials, 41_004, 1),
                new JoinRequestMessage<>(other, self, null, 41_004, 1),
                new JoinResponseMessage<>(self, view, 1),
                new JoinResponseMessage<InternalDistributedMember>("rejected", 1),
                new InstallViewMessage<>(view, credentials, true),
                new InstallViewMessage<>(view, null, false),
                new ViewAckMessage<>(other, 5, true),
                new ViewAckMessage<>(5, other, view),
                new LeaveRequestMessage<>(other, self, "reason"),
                new RemoveMemberMessage<>(other, self, "reason"),
                new HeartbeatMessage<>(1),
                new HeartbeatRequestMessage<>(other, 1),
                new SuspectMembersMessage<>(List.of(other), List.of(suspect, suspect)),
                new FinalCheckPassedMessage<>(other, self),
                new NetworkPartitionMessage<>(List.of(other)),
                new FindCoordinatorRequest<>(self),
                new FindCoordinatorRequest<>(self, List.of(other), 4, new byte[300], 1, "AES:256"),
                new FindCoordinatorResponse<>(self, other, new byte[300], 1),
                new FindCoordinatorResponse<>(self, other, true, view, new HashSet<>(List.of(other)), true, true, null),
                new ShutdownMessage());
    }

    private Message message(byte @Nullable [] content) {
        Message message = new Message(target, source, content);
        message.putHeader(TRANSPORT, new TpHeader("AG"));
        return message;
    }

    private byte[] payload(Object message) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        VersioningIO.writeOrdinal(out, KnownVersion.CURRENT_ORDINAL, true);
        out.writeBoolean(false);
        self.getMemberData()
                .writeEssentialData(
                        out, InternalDataSerializer.getDSFIDSerializer().createSerializationContext(out));
        DataSerializer.writeObject(message, out);
        return bytes.toByteArray();
    }

    private static byte[] bytes(Message message) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Util.writeMessage(message, new DataOutputStream(bytes), false);
        return bytes.toByteArray();
    }

    private byte[] list(Message... messages) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Util.writeMessageList(
                target,
                source,
                new byte[] {'A', 'G'},
                List.of(messages),
                new DataOutputStream(bytes),
                false,
                TRANSPORT);
        return bytes.toByteArray();
    }
}
