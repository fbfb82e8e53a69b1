package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads and writes IP addresses of version 4 (4 bytes) or 6 (16 bytes) in network byte order. */
@API(status = API.Status.STABLE)
public final class IpCodec extends TextCodec {

    private final int width;

    IpCodec(Field field, FieldType.IpType type) {
        super(field);
        width = type.bytes();
    }

    /** Copies the 4 or 16 bytes of the address to an array. Allocates nothing. */
    public void get(byte[] bytes, int record, byte[] into, int intoAt) {
        System.arraycopy(bytes, at(record), into, intoAt, width);
    }

    /** Writes an address of 4 or 16 bytes. Allocates nothing. */
    public void put(byte[] bytes, int record, byte[] address) {
        put(bytes, record, address, address);
    }

    private void put(byte[] bytes, int record, byte[] address, Object shownAs) {
        if (address.length != width) {
            throw refuse(shownAs, "Use " + width + " bytes, not " + address.length + ".");
        }
        if (reservesValue() && BytesCodec.allZero(address, 0, width)) {
            throw refuse(shownAs, RESERVED);
        }
        System.arraycopy(address, 0, bytes, at(record), width);
        markPresent(bytes, record);
    }

    /** Returns the address as text: dotted decimal for IPv4, RFC 5952 for IPv6. */
    @Override
    public String get(byte[] bytes, int record) {
        return IpText.format(bytes, at(record), width);
    }

    /** Writes an address given as text. Throws {@link FieldValueException} for a host name. */
    @Override
    public void put(byte[] bytes, int record, String text) {
        byte[] address = IpText.parse(text, width);
        if (address == null) {
            throw refuse(text, "Use an IPv" + (width == 4 ? 4 : 6) + " address.");
        }
        put(bytes, record, address, text);
    }

    @Override
    @Nullable
    String faultOfPresent(byte[] bytes, int record) {
        return null;
    }

    @Override
    boolean holdsAbsent(byte[] bytes, int record) {
        return BytesCodec.allZero(bytes, at(record), width);
    }

    @Override
    void writeAbsent(byte[] bytes, int record) {
        Arrays.fill(bytes, at(record), at(record) + width, (byte) 0);
    }

    @Override
    Object raw(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    boolean refusesBytes() {
        return false;
    }
}
