package io.millrace.store.geode.guard;

import io.millrace.store.geode.guard.SerializedForm.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.geode.internal.serialization.DataSerializableFixedID;

/**
 * Checks the content of a datagram between members: one of the messages by which Geode maintains the membership.
 *
 * <pre>
 * version (1 or 3) | encrypted (1) | sender | message
 * version (1 or 3) | encrypted (1) | type   | request (4) | [public key |] bytes
 * </pre>
 */
final class MemberMessage {

    private static final int MAX_KIND = 2;
    private static final int UUID_BYTES = 16;
    private static final int LONGEST_SUSPICION = 1 << 10;

    private static final int JOIN = DataSerializableFixedID.JOIN_REQUEST;
    private static final int FIND = DataSerializableFixedID.FIND_COORDINATOR_REQ;

    static final Map<Integer, Fields> TYPES = types();

    private MemberMessage() {}

    private static Map<Integer, Fields> types() {
        Map<Integer, Fields> types = new HashMap<>();
        types.put(SerializedForm.MEMBER, SerializedForm::member);
        types.put((int) DataSerializableFixedID.NETVIEW, MemberMessage::view);
        types.put(FIND, MemberMessage::findCoordinator);
        types.put((int) DataSerializableFixedID.FIND_COORDINATOR_RESP, MemberMessage::coordinator);
        types.put(JOIN, MemberMessage::join);
        types.put((int) DataSerializableFixedID.JOIN_RESPONSE, MemberMessage::joined);
        types.put((int) DataSerializableFixedID.INSTALL_VIEW_MESSAGE, MemberMessage::installView);
        types.put((int) DataSerializableFixedID.VIEW_ACK_MESSAGE, MemberMessage::acknowledgeView);
        types.put((int) DataSerializableFixedID.LEAVE_REQUEST_MESSAGE, MemberMessage::memberAndReason);
        types.put((int) DataSerializableFixedID.REMOVE_MEMBER_REQUEST, MemberMessage::memberAndReason);
        types.put((int) DataSerializableFixedID.HEARTBEAT_REQUEST, MemberMessage::numberAndMember);
        types.put(
                (int) DataSerializableFixedID.HEARTBEAT_RESPONSE,
                form -> form.in().readInt());
        types.put((int) DataSerializableFixedID.SUSPECT_MEMBERS_MESSAGE, MemberMessage::suspects);
        types.put((int) DataSerializableFixedID.FINAL_CHECK_PASSED_MESSAGE, SerializedForm::object);
        types.put((int) DataSerializableFixedID.SHUTDOWN_MESSAGE, MemberMessage::numberAndMember);
        types.put((int) DataSerializableFixedID.NETWORK_PARTITION_MESSAGE, _ -> {});
        return Map.copyOf(types);
    }

    /**
     * Checks a message, to its end, and returns its type.
     *
     * @param encrypted whether members encrypt messages; others are refused then
     */
    static int check(CheckedInput in, boolean encrypted) throws IOException {
        SerializedForm form = new SerializedForm(in, TYPES);
        form.version();
        in.require("Encryption", in.readByte(), encrypted ? 1 : 0);
        int type;
        if (encrypted) {
            type = form.type();
            in.readInt();
            if (type == JOIN || type == FIND) {
                form.bytes();
            }
            form.bytes();
        } else {
            sender(form);
            type = form.type();
            form.object(type);
        }
        in.requireEnd();
        return type;
    }

    private static void sender(SerializedForm form) throws IOException {
        form.version();
        form.in().readShort(); // flags
        form.address();
        form.in().skip(Integer.BYTES + Integer.BYTES + UUID_BYTES + 1); // port, view, identity, kind
    }

    private static void view(SerializedForm form) throws IOException {
        form.object(); // creator
        form.in().readInt(); // number
        form.objects(); // members
        form.objects(); // that leave
        form.objects(); // that have failed
        form.ints(); // ports
        form.objectsToBytes(); // public keys
    }

    private static void findCoordinator(SerializedForm form) throws IOException {
        form.object();
        for (int left = form.checked(form.in().readInt()); left > 0; left--) {
            form.object();
        }
        form.in().skip(Integer.BYTES + Integer.BYTES); // view, request
        form.string(); // algorithm
        form.bytes(); // public key
    }

    private static void coordinator(SerializedForm form) throws IOException {
        form.object();
        form.object();
        form.bytes(); // public key
        form.string(); // rejection
        form.in().skip(4); // flags
        form.object(); // view
        form.objects(); // registrants
    }

    private static void join(SerializedForm form) throws IOException {
        form.object();
        form.credentials();
        form.in().skip(Integer.BYTES + 1 + Integer.BYTES); // port, unused, request
    }

    private static void joined(SerializedForm form) throws IOException {
        form.object(); // view
        form.object(); // member
        form.string(); // rejection
        form.bytes();
        form.bytes(); // key
    }

    private static void installView(SerializedForm form) throws IOException {
        form.in().readInt(); // previous view
        int kind = form.in().readInt();
        if (kind < 0 || kind > MAX_KIND) {
            throw new RefusedInputException("View message of kind " + kind);
        }
        form.object();
        form.credentials();
    }

    private static void acknowledgeView(SerializedForm form) throws IOException {
        form.in().skip(Integer.BYTES + 1); // number, preparing
        form.object();
    }

    private static void memberAndReason(SerializedForm form) throws IOException {
        form.object();
        form.string();
    }

    private static void numberAndMember(SerializedForm form) throws IOException {
        form.in().readInt();
        form.object();
    }

    private static void suspects(SerializedForm form) throws IOException {
        int suspects = form.checked(form.in().readInt());
        if (suspects > LONGEST_SUSPICION) {
            throw new RefusedInputException("Number of suspects " + suspects);
        }
        for (int left = suspects; left > 0; left--) {
            memberAndReason(form);
        }
    }
}
