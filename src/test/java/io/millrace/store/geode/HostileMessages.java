package io.millrace.store.geode;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.geode.DataSerializer;
import org.apache.geode.distributed.internal.membership.InternalDistributedMember;
import org.apache.geode.internal.cache.tier.sockets.ClientProxyMembershipID;
import org.apache.geode.internal.cache.tier.sockets.Handshake;
import org.apache.geode.internal.serialization.KnownVersion;
import org.apache.geode.internal.serialization.VersioningIO;

/** Messages whose lengths are forged, in hexadecimal digits: what Geode would allocate for them ended a process. */
public final class HostileMessages {

    /**
     * Without a version, a mode or a message that a client or member would send, and with the lengths of what follows.
     */
    static final List<String> TO_LOCATOR = List.of(
            // arrays of bytes, of longs and of objects, where an object is expected
            "000003ea00962efd3b9aca00",
            "000003ea009631fd3b9aca00",
            "000003ea009634fd3b9aca00",
            // a text of 2 GB
            "000003ea0096587fffffff",
            // a map, a set, and coordinators
            "000003ea009643fd3b9aca00",
            "000003ea009642fd3b9aca00",
            "000003ea009602ff6f293b9aca00",
            // the same behind the other version of the protocol
            "000003e92efd3b9aca00");

    static final List<String> TO_SERVER = List.of(
            "64ff00963b000027102efd3b9aca00",
            "64ff00963b0000271031fd3b9aca00",
            "64ff00963b0000271034fd3b9aca00",
            "64ff00963b00002710587fffffff",
            // the identity of a client
            "64ff00963b000027100126fd3b9aca00",
            // modes of other clients
            "65ff00963b000027102efd3b9aca00",
            "67ff00963b000027102efd3b9aca00",
            "6bff00963b000027102efd3b9aca00");

    /** Type, length, parts, transaction and flags of a message behind a handshake, and parts. */
    static final List<String> TO_SERVER_OF_CLIENT = List.of(
            // ten parts of 2 GB, a billion of parts
            "000000050000003b0000000affffffff007fffffff00",
            "000000050000003b3b9aca00ffffffff007fffffff00",
            // a gigabyte
            "00000007400000000000000affffffff007fffffff00",
            // credentials of a gigabyte, and more of them
            "0000004d0000000a00000001ffffffff000000000500fd3b9aca00",
            "0000004d0000000c00000001ffffffff000000000700012efd3b9aca00",
            // a key of a gigabyte
            "000000000000001100000002ffffffff0000000001006100000006012efd3b9aca00",
            // a type of PDX
            "0000005d0000000b00000001ffffffff0000000006010144000000");

    private HostileMessages() {}

    public static List<byte[]> toLocator() {
        return TO_LOCATOR.stream().map(HexFormat.of()::parseHex).toList();
    }

    /** Returns messages in the place of a handshake, and behind one. */
    public static List<byte[]> toServer() throws IOException {
        List<byte[]> messages =
                new ArrayList<>(TO_SERVER.stream().map(HexFormat.of()::parseHex).toList());
        for (String message : TO_SERVER_OF_CLIENT) {
            messages.add(ofClient(message));
        }
        return messages;
    }

    /** Returns a message behind the handshake of a client. */
    static byte[] ofClient(String message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(100);
        VersioningIO.writeOrdinal(out, KnownVersion.CURRENT_ORDINAL, true);
        out.writeByte(59);
        out.writeInt(10_000);
        DataSerializer.writeObject(new ClientProxyMembershipID(new InternalDistributedMember("127.0.0.1", 1)), out);
        out.writeByte(Handshake.CONFLATION_DEFAULT);
        out.writeByte(Handshake.CREDENTIALS_NORMAL);
        out.write(HexFormat.of().parseHex(message));
        return bytes.toByteArray();
    }
}
