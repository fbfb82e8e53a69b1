package io.millrace.view;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/**
 * A view as Java serialization writes it: its type, the fingerprint of the schema and the bytes of the record. Numbers
 * are big-endian.
 *
 * <pre>
 * id of the type (8) | fingerprint (8) | length * 2, plus 1 if the view is mutable (4) | bytes
 * </pre>
 *
 * <p>The name is short, as that of {@code java.time.Ser}: the stream contains it, and each letter takes a byte and
 * about 7 ns.
 */
public final class Ser implements Externalizable {

    private static final long serialVersionUID = 1;

    private transient long typeId;
    private transient long fingerprint;
    private transient boolean mutable;
    private transient byte[] bytes = {};
    private transient int start;
    private transient int length;

    /** Used by Java serialization. */
    public Ser() {}

    /**
     * @param bytes array that contains the record. It is written before it can change
     * @param start offset of the record
     * @param length length of the record
     */
    Ser(long typeId, long fingerprint, boolean mutable, byte[] bytes, int start, int length) {
        this.typeId = typeId;
        this.fingerprint = fingerprint;
        this.mutable = mutable;
        this.bytes = bytes;
        this.start = start;
        this.length = length;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeLong(typeId);
        out.writeLong(fingerprint);
        out.writeInt(length << 1 | (mutable ? 1 : 0));
        out.write(bytes, start, length);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        typeId = in.readLong();
        fingerprint = in.readLong();
        int head = in.readInt();
        mutable = (head & 1) != 0;
        length = SerializedView.requireLength(head >>> 1);
        bytes = new byte[length];
        in.readFully(bytes, 0, length);
    }

    private Object readResolve() throws InvalidObjectException {
        return KnownViews.require(typeId, fingerprint).restore(bytes, mutable);
    }
}
