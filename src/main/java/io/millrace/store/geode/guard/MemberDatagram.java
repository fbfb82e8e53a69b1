package io.millrace.store.geode.guard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import org.apache.geode.internal.serialization.DataSerializableFixedID;
import org.jgroups.Version;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks a datagram between members, with the headers of JGroups and Geode's message, before JGroups reads it. JGroups
 * allocates as much memory as a datagram claims, and creates objects of any class of its own. Accepted is what the
 * stack of this version sends, to its last byte:
 *
 * <pre>
 * version (2) | 0 (1) | message
 * version (2) | 1 (1) | destination | sender | length (2) | cluster | messages (4) | message ...
 *
 * message: parts (1) | flags (2) | [destination |] [sender |] headers (2) | header ... | [length (4) | content]
 * header:  protocol (2) | class (2) | fields
 * </pre>
 *
 * <p>Fragments are refused: a datagram holds the longest message of more than a hundred members.
 */
final class MemberDatagram {

    private static final int LIST = 1;
    private static final int HAS_DESTINATION = 1;
    private static final int HAS_SENDER = 2;
    private static final int HAS_CONTENT = 4;
    private static final int MAX_HEADERS = 4;
    private static final int OTHER_ADDRESS = 0;
    private static final int GEODE_ADDRESS = 2000;

    private static final int TRANSPORT = 75;
    private static final int TRANSPORT_HEADER = 56;
    private static final int UNICAST = 64;
    private static final int UNICAST_HEADER = 107;
    private static final int FLOW_CONTROL = 45;
    private static final int FLOW_CONTROL_HEADER = 54;

    private static final int DATA = 0;
    private static final int ACKNOWLEDGEMENT = 1;
    private static final int FIRST_NUMBER_REQUEST = 2;
    private static final int RETRANSMISSION_REQUEST = 3;
    private static final int CLOSE = 4;

    private static final int MAX_LONG_BYTES = 8;
    private static final int MAX_CLUSTER_NAME = 64;

    /** Messages of processes that are about to join, or are in a view that has not arrived yet. */
    private static final Set<Integer> OF_STRANGERS = Set.of(
            (int) DataSerializableFixedID.JOIN_REQUEST,
            (int) DataSerializableFixedID.FIND_COORDINATOR_REQ,
            (int) DataSerializableFixedID.HEARTBEAT_REQUEST,
            (int) DataSerializableFixedID.VIEW_ACK_MESSAGE,
            (int) DataSerializableFixedID.LEAVE_REQUEST_MESSAGE);

    /** Who has sent a message. */
    enum Sender {
        /** Or any process, before the first view. */
        MEMBER,
        FORMER_MEMBER,
        STRANGER
    }

    /** Finds out who has an address. */
    interface Members {
        Sender of(UUID address);
    }

    private final CheckedInput in;
    private final Members members;
    private final boolean encrypted;
    private int unicast;
    private boolean flowControl;

    private MemberDatagram(CheckedInput in, Members members, boolean encrypted) {
        this.in = in;
        this.members = members;
        this.encrypted = encrypted;
    }

    /**
     * Checks a datagram.
     *
     * @param encrypted whether members encrypt messages; others are refused then
     * @throws IOException with the reason to refuse it
     */
    static void check(byte[] bytes, int offset, int length, Members members, boolean encrypted) throws IOException {
        CheckedInput in = new CheckedInput(new ByteArrayInputStream(bytes, offset, length), length);
        new MemberDatagram(in, members, encrypted).check();
        in.requireEnd();
    }

    private void check() throws IOException {
        in.require("Version of JGroups", in.readShort(), Version.version);
        int kind = in.readByte();
        if (kind == LIST) {
            address();
            UUID sender = address();
            in.skip(in.readShort());
            int messages = in.readInt();
            if (messages < 1 || messages > in.remaining()) {
                throw new RefusedInputException("Number of messages " + messages);
            }
            for (int left = messages; left > 0; left--) {
                message(sender);
            }
        } else {
            in.require("Kind of datagram", kind, 0);
            message(null);
        }
    }

    private void message(@Nullable UUID senderOfAll) throws IOException {
        int parts = in.readUnsignedByte();
        in.readShort(); // flags
        if ((parts & HAS_DESTINATION) != 0) {
            address();
        }
        UUID sender = (parts & HAS_SENDER) != 0 ? address() : senderOfAll;
        if (sender == null) {
            throw new RefusedInputException("No sender");
        }
        unicast = DATA;
        flowControl = false;
        int headers = in.readUnsignedShort();
        if (headers > MAX_HEADERS) {
            throw new RefusedInputException("Number of headers " + headers);
        }
        for (int left = headers; left > 0; left--) {
            header();
        }
        content((parts & HAS_CONTENT) != 0, sender);
    }

    private UUID address() throws IOException {
        in.require("Kind of address", in.readByte(), OTHER_ADDRESS);
        in.require("Class of address", in.readShort(), GEODE_ADDRESS);
        int bytes = in.readByte();
        if (bytes != 0 && bytes != 4 && bytes != 16) {
            throw new RefusedInputException("Address of " + bytes + " bytes");
        }
        in.skip(bytes == 16 ? bytes + Integer.BYTES : bytes);
        in.skip(Short.BYTES + Integer.BYTES); // port, view
        long high = in.readLong();
        return new UUID(high, in.readLong());
    }

    private void header() throws IOException {
        int protocol = in.readShort();
        int type = in.readShort();
        if (protocol == TRANSPORT && type == TRANSPORT_HEADER) {
            int length = in.readShort();
            if (length > MAX_CLUSTER_NAME) {
                throw new RefusedInputException("Name of " + length + " bytes");
            }
            in.skip(Math.max(length, 0));
        } else if (protocol == UNICAST && type == UNICAST_HEADER) {
            unicast();
        } else if (protocol == FLOW_CONTROL && type == FLOW_CONTROL_HEADER) {
            flowControl = true;
            in.readByte();
        } else {
            throw new RefusedInputException("Header of protocol " + protocol + " and class " + type);
        }
    }

    private void unicast() throws IOException {
        unicast = in.readByte();
        switch (unicast) {
            case DATA -> {
                number();
                in.skip(Short.BYTES + 1);
            }
            case ACKNOWLEDGEMENT -> {
                number();
                in.readShort();
                number();
            }
            case FIRST_NUMBER_REQUEST -> number();
            case RETRANSMISSION_REQUEST -> {}
            case CLOSE -> in.readShort();
            default -> throw new RefusedInputException("Header of kind " + unicast);
        }
    }

    /** Skips a number of variable length. */
    private void number() throws IOException {
        int bytes = in.readByte();
        if (bytes < 0 || bytes > MAX_LONG_BYTES) {
            throw new RefusedInputException("Number of " + bytes + " bytes");
        }
        in.skip(bytes);
    }

    private void content(boolean present, UUID sender) throws IOException {
        int length = present ? in.readInt() : 0;
        if (flowControl) {
            in.require("Length of credits", length, Long.BYTES);
            in.readLong();
        } else if (unicast == RETRANSMISSION_REQUEST) {
            long end = in.remaining() - length;
            missing();
            in.require("End of the list", in.remaining(), end);
        } else if (unicast != DATA || length == 0) {
            in.require("Length", length, 0);
        } else {
            message(length, sender);
        }
    }

    /** Checks a list of missing messages: null, or a set of bits. */
    private void missing() throws IOException {
        if (in.readByte() != 0) {
            int size = in.readInt();
            in.readLong();
            if (size < 1 || size / Byte.SIZE > in.remaining()) {
                throw new RefusedInputException("Number of missing messages " + size);
            }
            in.skip((((size - 1L) / Long.SIZE) + 1) * Long.BYTES);
        }
    }

    private void message(int length, UUID sender) throws IOException {
        CheckedInput content = in.part(length);
        int type = MemberMessage.check(content, encrypted);
        Sender kind = members.of(sender);
        if (kind == Sender.STRANGER && !OF_STRANGERS.contains(type)) {
            // Geode would also store each sender of a sign of life until the next view.
            throw new RefusedInputException("Message of type " + type + " of a process that is not a member");
        }
        if (kind == Sender.FORMER_MEMBER && type == DataSerializableFixedID.HEARTBEAT_REQUEST) {
            // An answer would extend its lease.
            throw new RefusedInputException("Request for a heartbeat of a process that is not a member any more");
        }
    }
}
