package io.millrace.codec.view;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import org.jspecify.annotations.Nullable;

/**
 * A view as Java serialization writes it: its type, the fingerprint of the schema and the bytes of the record.
 *
 * <pre>
 * class | fingerprint (8) | mutable (1) | length (4) | bytes
 * </pre>
 */
public final class SerializedView implements Externalizable {

    private static final long serialVersionUID = 1;

    /** Maximum number of bytes that are allocated before they are read. */
    private static final int MAX_LENGTH = 1 << 24;

    private transient @Nullable Class<?> type;
    private transient long fingerprint;
    private transient boolean mutable;
    private transient byte[] bytes = new byte[0];

    /** Used by Java serialization. */
    public SerializedView() {}

    /**
     * Returns the serialized form of a view.
     *
     * @throws UnsupportedOperationException if the view is of a part of a record, or of the row of a query
     */
    static SerializedView of(BinaryView view) {
        ViewKind kind = view.millraceForm().kind();
        if (!kind.isRoot() || kind.views().schema() == null) {
            throw new UnsupportedOperationException("The view of " + kind.type().getName()
                    + " is of a part of a record, which can't be serialized. Serialize the view of the record.");
        }
        SerializedView serialized = new SerializedView();
        serialized.type = kind.type();
        serialized.fingerprint = kind.views().schema().fingerprint();
        serialized.mutable = view.millraceForm().mutable();
        serialized.bytes = kind.views().content(view);
        return serialized;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeObject(type);
        out.writeLong(fingerprint);
        out.writeBoolean(mutable);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
        type = (Class<?>) in.readObject();
        fingerprint = in.readLong();
        mutable = in.readBoolean();
        int length = in.readInt();
        if (length < 0 || length > MAX_LENGTH) {
            throw new InvalidObjectException("Invalid length of a record: " + length + ".");
        }
        bytes = new byte[length];
        in.readFully(bytes);
    }

    private Object readResolve() throws InvalidObjectException {
        RecordViews<?> views = type == null ? null : RecordViews.known(type, fingerprint);
        if (views == null) {
            throw new InvalidObjectException("Unknown views of " + type + " for a schema with fingerprint "
                    + Long.toHexString(fingerprint) + ". Create them before you read serialized views.");
        }
        return views.restore(bytes, mutable);
    }
}
