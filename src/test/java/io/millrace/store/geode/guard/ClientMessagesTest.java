package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.geode.DataSerializer;
import org.apache.geode.distributed.internal.membership.InternalDistributedMember;
import org.apache.geode.internal.cache.tier.MessageType;
import org.apache.geode.pdx.internal.EnumInfo;
import org.junit.jupiter.api.Test;

class ClientMessagesTest {

    private static final int NO_PROOF = 0;
    private static final int PROOF = 2;

    private static final byte[] LARGE = new byte[100_000];

    private record Part(int kind, byte[] bytes) {}

    private static ClientIdentity client(int id) {
        return new ClientIdentity(InetAddress.getLoopbackAddress(), new byte[] {(byte) id});
    }

    private static ClientIdentity authenticated(int id, boolean mayWrite) {
        ClientIdentity client = client(id);
        AuthenticatedClients.reading(client);
        AuthenticatedClients.add(mayWrite);
        return client;
    }

    private static Part object(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataSerializer.writeObject(value, new DataOutputStream(bytes));
        return new Part(1, bytes.toByteArray());
    }

    private static Part raw(byte[] bytes) {
        return new Part(0, bytes);
    }

    private static byte[] message(int type, int flags, Part... parts) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        for (Part part : parts) {
            out.writeInt(part.bytes().length);
            out.writeByte(part.kind());
            out.write(part.bytes());
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        out = new DataOutputStream(all);
        out.writeInt(type);
        out.writeInt(body.size());
        out.writeInt(parts.length - (flags == PROOF ? 1 : 0));
        out.writeInt(-1);
        out.writeByte(flags);
        out.write(body.toByteArray());
        return all.toByteArray();
    }

    private static void check(ClientIdentity client, byte[]... messages) throws IOException {
        ClientMessages check = new ClientMessages(client);
        for (byte[] message : messages) {
            check.check(message, 0, message.length);
        }
    }

    private static void requireRefused(ClientIdentity client, byte[] message) {
        assertThatExceptionOfType(RefusedInputException.class).isThrownBy(() -> check(client, message));
    }

    @Test
    void shouldAcceptMessagesHoweverTheyArrive() throws Exception {
        byte[] put = message(
                MessageType.PUT,
                PROOF,
                raw(new byte[] {'r'}),
                object(1L),
                object("text"),
                raw(LARGE),
                raw(new byte[16]));
        byte[] ping = message(MessageType.PING, NO_PROOF);
        ClientIdentity client = authenticated(1, true);
        for (int step : List.of(1, 2, 3, 7, 16, 17, 18, 1000, Integer.MAX_VALUE)) {
            ClientMessages check = new ClientMessages(client);
            for (byte[] message : List.of(put, ping, put)) {
                for (int at = 0; at < message.length; ) {
                    int length = Math.min(step, message.length - at);
                    check.check(message, at, length);
                    at += length;
                }
            }
        }
    }

    /** Geode creates an object for each before it reads them. */
    @Test
    void shouldRefuseMorePartsThanAMessageHasBytesFor() throws Exception {
        byte[] ping = message(MessageType.PING, NO_PROOF, raw(new byte[0]), raw(new byte[4]));
        check(client(3), ping);

        ByteBuffer.wrap(ping).putInt(8, 3);
        requireRefused(client(3), ping);
        ByteBuffer.wrap(ping).putInt(8, 1 << 16);
        requireRefused(authenticated(1, true), ping);
    }

    /** An idle client sends it every two seconds, with the identity of the server. */
    @Test
    void shouldAcceptAPingToAMember() throws Exception {
        Part member = object(new InternalDistributedMember(InetAddress.getLoopbackAddress(), 41_000));
        check(client(3), message(MessageType.PING, NO_PROOF, member));
        check(authenticated(1, true), message(MessageType.PING, NO_PROOF, member));

        requireRefused(authenticated(1, true), message(MessageType.REQUEST, NO_PROOF, member));
        requireRefused(authenticated(1, true), message(MessageType.PING, NO_PROOF, object(List.of("text"))));
    }

    /** Geode sends them as an array of objects, and loads the class of the elements by its name. */
    @Test
    void shouldAcceptKeysOfSeveralEntries() throws Exception {
        ClientIdentity client = authenticated(2, false);
        check(client, message(MessageType.GET_ALL_70, NO_PROOF, object(new Object[] {"trades/0", 1L, null})));
        check(client, message(MessageType.GET_ALL_70, NO_PROOF, object(new Object[0])));

        requireRefused(client, message(MessageType.GET_ALL_70, NO_PROOF, object(new Integer[] {1})));
        requireRefused(
                client,
                message(MessageType.GET_ALL_70, NO_PROOF, object(new Object[] {"a", new IllegalStateException()})));
        requireRefused(client, message(MessageType.GET_ALL_70, NO_PROOF, object(new Object[] {
            new Object[] {new Integer[0]}
        })));
    }

    @Test
    void shouldAcceptArgumentsOfJavaSerializationOfAuthenticatedClientsOnly() throws Exception {
        byte[] call = message(MessageType.EXECUTE_REGION_FUNCTION, NO_PROOF, object(new IllegalStateException()));

        check(authenticated(2, false), call);
        requireRefused(client(3), call);
    }

    /** Geode would read it without end. */
    @Test
    void shouldRefuseArgumentsThatEndTooEarly() throws Exception {
        byte[] argument = object(new IllegalStateException()).bytes();
        for (int length = 1; length < argument.length; length++) {
            byte[] call = message(
                    MessageType.EXECUTE_REGION_FUNCTION, NO_PROOF, new Part(1, Arrays.copyOf(argument, length)));
            requireRefused(authenticated(2, false), call);
        }
    }

    @Test
    void shouldLimitMessagesByWhoTheClientIs() throws Exception {
        byte[] large = message(MessageType.PUT, NO_PROOF, raw(LARGE));
        byte[] largest = message(MessageType.PUT, NO_PROOF, raw(new byte[2 << 20]));

        requireRefused(client(3), large);
        check(authenticated(2, false), large);
        requireRefused(authenticated(2, false), largest);
        check(authenticated(1, true), largest);
    }

    @Test
    void shouldRefuseLengthsThatDoNotAgree() throws Exception {
        ClientIdentity client = authenticated(1, true);
        byte[] message = message(MessageType.PUT, NO_PROOF, raw(new byte[100]), object(1L));
        for (int at : List.of(4, 5, 6, 7, 8, 9, 10, 11, 17, 18, 19, 20)) {
            byte[] forged = message.clone();
            forged[at]++;
            // a message that is longer than it says, or shorter, is taken for the next one at the latest
            byte[] next = message(MessageType.CLOSECQ_MSG_TYPE, NO_PROOF, raw(LARGE));
            assertThatExceptionOfType(RefusedInputException.class)
                    .as("byte %d", at)
                    .isThrownBy(() -> check(client, forged, next));
        }
    }

    @Test
    void shouldRefuseTypesThatServersWouldStore() throws Exception {
        ClientIdentity client = authenticated(1, true);
        requireRefused(
                client, message(MessageType.GET_PDX_ID_FOR_ENUM, NO_PROOF, object(new EnumInfo("type", "name", 0))));
        requireRefused(client, message(MessageType.PUT, NO_PROOF, object(new EnumInfo("type", "name", 0))));
    }

    @Test
    void shouldAcceptOnlyPropertiesAsCredentials() throws Exception {
        byte[] none = message(MessageType.USER_CREDENTIAL_MESSAGE, PROOF, raw(new byte[] {0}), raw(new byte[16]));
        byte[] forged = message(
                MessageType.USER_CREDENTIAL_MESSAGE,
                PROOF,
                raw(new byte[] {(byte) 0xFD, 0x3B, 0, 0, 0}),
                raw(new byte[16]));

        assertThatCode(() -> check(client(3), none)).doesNotThrowAnyException();
        requireRefused(client(3), forged);
    }

    /** An application whose own objects have serializers announces them over each connection. */
    @Test
    void shouldAcceptNamesOfSerializers() throws IOException {
        Part name = raw("org.example.Serializer".getBytes(StandardCharsets.US_ASCII));
        for (int type : List.of(MessageType.REGISTER_DATASERIALIZERS, MessageType.REGISTER_INSTANTIATORS)) {
            byte[] message = message(type, NO_PROOF, name, raw(new byte[4]), raw(new byte[10]));
            check(authenticated(70, false), message);
            requireRefused(authenticated(71, true), message(type, NO_PROOF, raw(LARGE)));
        }
    }

    /** A client registers its serializers whenever it connects, with another number of the message. */
    @Test
    void shouldAcceptTheSameSerializersAgainAndLimitTheNumberOfOthers() throws IOException {
        RegisteredClasses classes = new RegisteredClasses();
        for (int i = 0; i < 3_000; i++) {
            register(classes, "org.example.Same", i);
        }
        for (int i = 1; i < 1_000; i++) {
            register(classes, "org.example.Other" + i, 0);
        }
        assertThatExceptionOfType(RefusedInputException.class)
                .isThrownBy(() -> register(classes, "org.example.Another", 0))
                .withMessage("Registration of more than 1000 classes");
        register(classes, "org.example.Same", 0);
    }

    private static void register(RegisteredClasses classes, String name, int number) throws IOException {
        byte[] message = registration(name, number);
        new ClientMessages(client(72), classes).check(message, 0, message.length);
    }

    private static byte[] registration(String name, int number) throws IOException {
        return message(
                MessageType.REGISTER_DATASERIALIZERS,
                NO_PROOF,
                raw(name.getBytes(StandardCharsets.US_ASCII)),
                raw(ByteBuffer.allocate(Integer.BYTES).putInt(number).array()));
    }
}
