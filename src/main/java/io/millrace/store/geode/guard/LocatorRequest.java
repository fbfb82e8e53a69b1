package io.millrace.store.geode.guard;

import io.millrace.store.geode.guard.SerializedForm.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.geode.distributed.internal.tcpserver.VersionRequest;
import org.apache.geode.internal.serialization.DSCODE;
import org.apache.geode.internal.serialization.DataSerializableFixedID;
import org.apache.geode.internal.serialization.KnownVersion;
import org.apache.geode.internal.serialization.StaticSerialization;

/**
 * Checks the only request of a connection to a locator.
 *
 * <pre>
 * 1002 (4) | version (2) | request
 * </pre>
 *
 * <p>Accepted are the requests by which members, clients and gfsh find others. Others are refused, such as the one that
 * stops the locator, which needs no credentials in Geode.
 */
final class LocatorRequest {

    static final int MAX_BYTES = 16 << 10;

    private static final int PROTOCOL = 1002;
    private static final Map<Integer, Fields> TYPES = types();

    private LocatorRequest() {}

    private static Map<Integer, Fields> types() {
        Map<Integer, Fields> types = new HashMap<>(MemberMessage.TYPES);
        types.keySet().retainAll(Set.of(SerializedForm.MEMBER, (int) DataSerializableFixedID.FIND_COORDINATOR_REQ));
        types.put((int) DataSerializableFixedID.GET_VIEW_REQ, _ -> {});
        types.put((int) DataSerializableFixedID.LOCATOR_LIST_REQUEST, SerializedForm::string);
        types.put((int) DataSerializableFixedID.LOCATOR_STATUS_REQUEST, SerializedForm::string);
        types.put((int) DataSerializableFixedID.GET_ALL_SERVERS_REQUEST, SerializedForm::string);
        types.put((int) DataSerializableFixedID.CLIENT_CONNECTION_REQUEST, LocatorRequest::connection);
        types.put((int) DataSerializableFixedID.CLIENT_REPLACEMENT_REQUEST, LocatorRequest::replacement);
        types.put((int) DataSerializableFixedID.JMX_MANAGER_LOCATOR_REQUEST, _ -> {});
        return Map.copyOf(types);
    }

    /** Checks the beginning of a request. */
    static void checkProtocol(CheckedInput in) throws IOException {
        in.require("Protocol", in.readInt(), PROTOCOL);
    }

    /** Checks the rest of a request. */
    static void check(CheckedInput in) throws IOException {
        SerializedForm form = new SerializedForm(in, TYPES);
        short version = in.readShort();
        if (version == KnownVersion.OLDEST.ordinal()) {
            named(form, VersionRequest.class); // by which a client begins
        } else {
            in.require("Version", version, SerializedForm.VERSION);
            form.object();
        }
    }

    /** Checks a request without fields, which is sent by the name of its class. */
    private static void named(SerializedForm form, Class<?> type) throws IOException {
        form.in().require("Kind", form.in().readByte(), DSCODE.DATA_SERIALIZABLE.toByte());
        form.in().require("Kind", form.in().readByte(), DSCODE.CLASS.toByte());
        form.string(StaticSerialization.processOutgoingClassName(type.getName()));
    }

    private static void connection(SerializedForm form) throws IOException {
        form.string(); // group
        int excluded = form.in().readInt();
        for (int left = excluded < 0 ? 0 : form.checked(excluded); left > 0; left--) {
            server(form);
        }
    }

    private static void replacement(SerializedForm form) throws IOException {
        connection(form);
        server(form);
    }

    private static void server(SerializedForm form) throws IOException {
        form.string();
        form.in().readInt();
    }
}
