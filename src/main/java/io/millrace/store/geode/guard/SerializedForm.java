package io.millrace.store.geode.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.geode.distributed.internal.membership.api.MemberIdentifier;
import org.apache.geode.internal.serialization.DSCODE;
import org.apache.geode.internal.serialization.DataSerializableFixedID;
import org.apache.geode.internal.serialization.KnownVersion;
import org.jspecify.annotations.Nullable;

/**
 * Checks values in Geode's serialized form without creating them: only the few types that a port expects before it
 * knows who is connected, no nested objects beyond a depth, and no length beyond the end of the input. Everything else
 * is refused, in particular objects of Java serialization. Not thread-safe.
 */
final class SerializedForm {

    /** Checks the fields of an object, which follow its type. */
    interface Fields {
        void check(SerializedForm form) throws IOException;
    }

    /** The form of this version of Geode: others have other fields. */
    static final short VERSION = KnownVersion.CURRENT_ORDINAL;

    /** The deepest objects are the members of a view in a message. */
    private static final int MAX_DEPTH = 8;

    private static final int NULL_LENGTH = 0xFF;
    private static final int SHORT_LENGTH = 0xFE;
    private static final int INT_LENGTH = 0xFD;
    private static final int VERSION_IN_THREE_BYTES = -1;
    private static final int HAS_VERSION = 0x8;
    private static final int MEMBER_ID_BYTES = 17;

    /** The identity of a process. */
    static final int MEMBER = 92;

    /** The {@link #MEMBER} alone. */
    static final Map<Integer, Fields> MEMBERS = Map.of(MEMBER, SerializedForm::member);

    private static final @Nullable DSCODE[] CODES = codes();

    private final CheckedInput in;
    private final Map<Integer, Fields> types;
    private int depth;

    /** @param types allowed, by Geode's id of the type */
    SerializedForm(CheckedInput in, Map<Integer, Fields> types) {
        this.in = in;
        this.types = types;
    }

    private static @Nullable DSCODE[] codes() {
        @Nullable DSCODE[] codes = new DSCODE[1 << Byte.SIZE];
        for (DSCODE code : DSCODE.values()) {
            codes[code.toByte() & 0xFF] = code;
        }
        return codes;
    }

    CheckedInput in() {
        return in;
    }

    /** Checks an object of an allowed type, or null. */
    void object() throws IOException {
        DSCODE code = code();
        if (code != DSCODE.NULL) {
            object(type(code));
        }
    }

    /**
     * Checks an object whose type has been read. Within other objects are only members and views: the fields of other
     * messages there would not be read like this.
     */
    void object(int type) throws IOException {
        Fields fields = types.get(type);
        boolean nested = depth > 0 && type != MEMBER && type != DataSerializableFixedID.NETVIEW;
        if (fields == null || nested) {
            throw new RefusedInputException("Object of type " + type);
        }
        enter();
        fields.check(this);
        depth--;
    }

    /** Reads the id of a type. */
    int type() throws IOException {
        return type(code());
    }

    private int type(DSCODE code) throws IOException {
        return switch (code) {
            case DS_FIXED_ID_BYTE -> in.readByte();
            case DS_FIXED_ID_SHORT -> in.readShort();
            case DS_FIXED_ID_INT -> in.readInt();
            default -> throw new RefusedInputException("Value of kind " + code);
        };
    }

    private DSCODE code() throws IOException {
        int code = in.readUnsignedByte();
        DSCODE known = CODES[code];
        if (known == null) {
            throw new RefusedInputException("Value of kind " + code);
        }
        return known;
    }

    /** Checks credentials: properties whose names and values are text. */
    void credentials() throws IOException {
        DSCODE code = code();
        if (code == DSCODE.PROPERTIES) {
            properties();
        } else if (code != DSCODE.NULL) {
            throw new RefusedInputException("Credentials of kind " + code);
        }
    }

    /** Checks properties, whose kind is known. */
    void properties() throws IOException {
        for (int left = length(); left > 0; left--) {
            string();
            string();
        }
    }

    /** Checks a text. */
    void string() throws IOException {
        DSCODE code = code();
        switch (code) {
            case STRING, STRING_BYTES -> in.skip(in.readUnsignedShort());
            case NULL_STRING, NULL -> {}
            default -> throw new RefusedInputException("Text of kind " + code);
        }
    }

    /** Requires a short text of ASCII characters. */
    void string(String expected) throws IOException {
        in.require("Kind of text", in.readByte(), DSCODE.STRING_BYTES.toByte());
        in.require("Length", in.readUnsignedShort(), expected.length());
        if (!new String(in.readBytes(expected.length()), StandardCharsets.ISO_8859_1).equals(expected)) {
            throw new RefusedInputException("Another text than " + expected);
        }
    }

    /** Checks a value that is a key or an argument of an operation. */
    void value() throws IOException {
        value(code());
    }

    private void value(DSCODE code) throws IOException {
        switch (code) {
            case NULL, NULL_STRING -> {}
            case STRING, STRING_BYTES -> in.skip(in.readUnsignedShort());
            case BOOLEAN, BYTE -> in.skip(Byte.BYTES);
            case SHORT, CHARACTER -> in.skip(Short.BYTES);
            case INTEGER, FLOAT -> in.skip(Integer.BYTES);
            case LONG, DOUBLE, DATE -> in.skip(Long.BYTES);
            case BYTE_ARRAY -> bytes();
            case STRING_ARRAY -> strings();
            case ARRAY_LIST, HASH_SET, LINKED_LIST, LINKED_HASH_SET -> values(1);
            case HASH_MAP -> values(2);
            case OBJECT_ARRAY -> array();
            default -> throw new RefusedInputException("Value of kind " + code);
        }
    }

    private void values(int ofEach) throws IOException {
        enter();
        for (long left = (long) length() * ofEach; left > 0; left--) {
            value();
        }
        depth--;
    }

    /** Geode loads the class of the elements by its name, so it must be a known one. */
    private void array() throws IOException {
        enter();
        int length = length();
        in.require("Kind of class", in.readByte(), DSCODE.CLASS.toByte());
        string(Object.class.getName());
        for (int left = length; left > 0; left--) {
            value();
        }
        depth--;
    }

    private void enter() throws RefusedInputException {
        if (++depth > MAX_DEPTH) {
            throw new RefusedInputException("Objects are nested deeper than " + MAX_DEPTH);
        }
    }

    void strings() throws IOException {
        for (int left = length(); left > 0; left--) {
            string();
        }
    }

    void bytes() throws IOException {
        in.skip(length());
    }

    void ints() throws IOException {
        in.skip((long) length() * Integer.BYTES);
    }

    void objects() throws IOException {
        for (int left = length(); left > 0; left--) {
            object();
        }
    }

    /** Checks a map of objects to arrays of bytes. */
    void objectsToBytes() throws IOException {
        for (int left = length(); left > 0; left--) {
            object();
            DSCODE code = code();
            if (code != DSCODE.BYTE_ARRAY) {
                throw new RefusedInputException("Value of kind " + code);
            }
            bytes();
        }
    }

    /** Reads the length of an array, which is at most the number of bytes that may follow; 0 for null. */
    int length() throws IOException {
        int code = in.readUnsignedByte();
        return switch (code) {
            case NULL_LENGTH -> 0;
            case SHORT_LENGTH -> checked(in.readUnsignedShort());
            case INT_LENGTH -> checked(in.readInt());
            default -> checked(code);
        };
    }

    /** Returns a number of elements if as many bytes may follow. */
    int checked(int length) throws IOException {
        if (length < 0 || length > in.remaining()) {
            throw new RefusedInputException("Length " + length + " where at most " + in.remaining() + " is allowed");
        }
        return length;
    }

    /** Checks an address of 4 or 16 bytes, or null. */
    void address() throws IOException {
        int bytes = length();
        if (bytes != 0 && bytes != 4 && bytes != 16) {
            throw new RefusedInputException("Address of " + bytes + " bytes");
        }
        in.skip(bytes);
    }

    /**
     * Checks that a version is {@link #VERSION}. In one byte, it has a sign: this version's number is too large for
     * one, and Geode would take it for an old version, whose members have other fields.
     */
    void version() throws IOException {
        byte version = in.readByte();
        in.require("Version", version == VERSION_IN_THREE_BYTES ? in.readShort() : version, VERSION);
    }

    /** Checks the fields of a {@link #MEMBER}. */
    void member() throws IOException {
        address();
        in.readInt(); // port of datagrams
        string(); // host name
        if ((in.readByte() & HAS_VERSION) == 0) {
            throw new RefusedInputException("Member without a version");
        }
        in.skip(Integer.BYTES + Integer.BYTES); // port of connections, process
        int kind = in.readUnsignedByte();
        if (kind < MemberIdentifier.NORMAL_DM_TYPE || kind > MemberIdentifier.LONER_DM_TYPE) {
            throw new RefusedInputException("Unknown kind of member: " + kind);
        }
        strings(); // groups
        string(); // name
        string(); // number of the view, or a unique tag
        string(); // durable id
        in.readInt(); // durable timeout
        version();
        in.skip(MEMBER_ID_BYTES);
    }
}
