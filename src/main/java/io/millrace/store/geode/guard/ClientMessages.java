package io.millrace.store.geode.guard;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.geode.internal.cache.tier.MessageType;
import org.apache.geode.internal.serialization.DSCODE;
import org.jspecify.annotations.Nullable;

/**
 * Checks the messages of a client while a server reads them. Geode allocates the number of parts and the length of each
 * part that a message claims, and whatever the objects in it claim.
 *
 * <pre>
 * type (4) | length (4) | parts (4) | transaction (4) | flags (1) | part ... [| proof]
 * part: length (4) | kind (1) | bytes
 * </pre>
 *
 * <p>The headers are compared with each other. Of the parts, those that Geode deserializes are copied and checked; the
 * values of regions are not, so a large message costs no more than a small one. Not thread-safe.
 */
final class ClientMessages {

    private static final int HEADER_BYTES = 17;
    private static final int PART_HEADER_BYTES = 5;
    private static final int HAS_PROOF = 2;
    private static final int OBJECT = 1;
    private static final int MAX_KIND = 2;
    private static final int MAX_PARTS = 1 << 16;
    private static final int MAX_OBJECT_BYTES = 1 << 20;

    private static final int MAX_BYTES_UNKNOWN = 16 << 10;
    private static final int MAX_BYTES_READER = 1 << 20;

    private static final int MIN_BYTES_WRITER = 16 << 20;
    private static final int MAX_BYTES_WRITER =
            Math.clamp(Runtime.getRuntime().maxMemory() / 8, MIN_BYTES_WRITER, 1 << 30);

    /** Messages of Millrace's clients, and those that {@code ClientAccess} refuses by an answer. */
    private static final Set<Integer> TYPES = Set.of(
            MessageType.REQUEST,
            MessageType.PING,
            MessageType.PUT,
            MessageType.DESTROY,
            MessageType.DESTROY_REGION,
            MessageType.CLOSE_CONNECTION,
            MessageType.QUERY,
            MessageType.CLEAR_REGION,
            MessageType.CONTAINS_KEY,
            MessageType.KEY_SET,
            MessageType.PUTALL,
            MessageType.EXECUTE_REGION_FUNCTION,
            MessageType.EXECUTE_FUNCTION,
            MessageType.GET_CLIENT_PR_METADATA,
            MessageType.GET_CLIENT_PARTITION_ATTRIBUTES,
            MessageType.USER_CREDENTIAL_MESSAGE,
            MessageType.REMOVE_USER_AUTH,
            MessageType.EXECUTE_REGION_FUNCTION_SINGLE_HOP,
            MessageType.SIZE,
            MessageType.INVALIDATE,
            MessageType.GET_FUNCTION_ATTRIBUTES,
            MessageType.REGISTER_DATASERIALIZERS,
            MessageType.REGISTER_INSTANTIATORS,
            MessageType.GET_ALL_70,
            MessageType.GET_ALL_WITH_CALLBACK,
            MessageType.PUT_ALL_WITH_CALLBACK,
            MessageType.REMOVE_ALL);

    /** Names of classes by which an application of a client serializes its own objects. */
    private static final Set<Integer> REGISTRATIONS =
            Set.of(MessageType.REGISTER_DATASERIALIZERS, MessageType.REGISTER_INSTANTIATORS);

    private final ClientIdentity client;
    private final RegisteredClasses classes;
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    private final ByteArrayOutputStream object = new ByteArrayOutputStream();
    private final ByteArrayOutputStream registered = new ByteArrayOutputStream();
    private @Nullable Boolean mayWrite;

    private int type;
    private int partsLeft;
    private int bytesLeft;
    private int partLeft;
    private boolean copying;
    private boolean first;
    private boolean credentials;
    private boolean registration;

    ClientMessages(ClientIdentity client) {
        this(client, RegisteredClasses.HERE);
    }

    ClientMessages(ClientIdentity client, RegisteredClasses classes) {
        this.client = client;
        this.classes = classes;
    }

    /** Checks the next bytes. */
    void check(byte[] bytes, int offset, int length) throws IOException {
        int position = offset;
        int end = offset + length;
        while (position < end) {
            int count;
            if (partLeft > 0) {
                count = Math.min(partLeft, end - position);
                content(bytes, position, count);
            } else {
                count = Math.min(header.remaining(), end - position);
                header.put(bytes, position, count);
                if (!header.hasRemaining()) {
                    header.flip();
                    header();
                }
            }
            position += count;
        }
    }

    private void header() throws IOException {
        if (header.limit() == HEADER_BYTES) {
            message();
        } else {
            part();
        }
    }

    private void message() throws IOException {
        if (mayWrite == null) {
            mayWrite = AuthenticatedClients.mayWrite(client);
        }
        if (mayWrite == null) {
            AuthenticatedClients.reading(client);
        }
        type = header.getInt();
        if (!TYPES.contains(type)) {
            throw new RefusedInputException("Message " + MessageType.getString(type));
        }
        int length = header.getInt();
        registration = REGISTRATIONS.contains(type);
        registered.reset();
        int limit = registration ? RegisteredClasses.MAX_BYTES : limit();
        if (length < 0 || length > limit) {
            throw new RefusedInputException("Message of " + length + " bytes where at most " + limit + " are allowed");
        }
        int parts = header.getInt();
        var _ = header.getInt(); // transaction
        // Geode creates an object for each part before it reads the first.
        if (parts < 0 || parts > MAX_PARTS || parts * PART_HEADER_BYTES > length) {
            throw new RefusedInputException("Message of " + parts + " parts");
        }
        boolean proof = (header.get() & HAS_PROOF) != 0;
        first = true;
        bytesLeft = length;
        partsLeft = parts == 0 ? 0 : parts + (proof ? 1 : 0);
        next();
    }

    private int limit() {
        if (mayWrite == null) {
            return MAX_BYTES_UNKNOWN;
        }
        return mayWrite ? MAX_BYTES_WRITER : MAX_BYTES_READER;
    }

    private void part() throws IOException {
        int length = header.getInt();
        int kind = header.get();
        bytesLeft -= PART_HEADER_BYTES;
        if (length < 0 || length > bytesLeft || kind < 0 || kind > MAX_KIND) {
            throw new RefusedInputException("Part of " + length + " bytes and kind " + kind);
        }
        partsLeft--;
        partLeft = length;
        credentials = type == MessageType.USER_CREDENTIAL_MESSAGE && first;
        first = false;
        copying = credentials || kind == OBJECT;
        if (copying && length > MAX_OBJECT_BYTES) {
            throw new RefusedInputException("Object of " + length + " bytes");
        }
        object.reset();
        if (length == 0) {
            next();
        }
    }

    private void content(byte[] bytes, int offset, int count) throws IOException {
        if (copying) {
            object.write(bytes, offset, count);
        }
        if (registration && partsLeft > 0) { // the last part is a number of the message
            registered.write(bytes, offset, count);
        }
        partLeft -= count;
        bytesLeft -= count;
        if (partLeft == 0) {
            if (copying) {
                object();
            }
            next();
        }
    }

    private void object() throws IOException {
        byte[] bytes = object.toByteArray();
        if (!credentials && isNumber(bytes)) {
            return;
        }
        boolean argument = mayWrite != null && !credentials && type != MessageType.PING;
        if (argument && bytes.length > 0 && bytes[0] == DSCODE.SERIALIZABLE.toByte()) {
            JavaForm.check(bytes, 1);
            return;
        }
        CheckedInput in = new CheckedInput(new ByteArrayInputStream(bytes), bytes.length);
        SerializedForm form = new SerializedForm(in, SerializedForm.MEMBERS);
        if (credentials) {
            form.properties();
        } else if (type == MessageType.PING) {
            form.object(); // the server that is meant
        } else {
            form.value();
        }
        in.requireEnd();
    }

    /** Returns whether an object is a number, as most keys are: a message can have a thousand. */
    private static boolean isNumber(byte[] object) {
        return object.length == 1 + Long.BYTES && object[0] == DSCODE.LONG.toByte();
    }

    /** Expects a part, or the next message. */
    private void next() throws IOException {
        if (partsLeft > 0) {
            if (bytesLeft < (long) partsLeft * PART_HEADER_BYTES) {
                throw new RefusedInputException("Number of parts " + partsLeft + " in " + bytesLeft + " bytes");
            }
            header.clear().limit(PART_HEADER_BYTES);
        } else if (bytesLeft != 0) {
            throw new RefusedInputException("Bytes behind the last part: " + bytesLeft);
        } else {
            if (registration) {
                classes.add(registered.toByteArray());
            }
            registration = false;
            header.clear();
        }
    }
}
