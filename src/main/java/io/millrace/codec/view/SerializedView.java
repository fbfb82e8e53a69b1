package io.millrace.codec.view;

import io.millrace.schema.Schema;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view as Java serialization writes it: its type, the fingerprint of the schema and the bytes of the record.
 *
 * <pre>
 * name of the type | fingerprint (8) | mutable (1) | length (4) | bytes
 * </pre>
 */
public final class SerializedView implements Externalizable {

    private static final long serialVersionUID = 1;

    /** Maximum number of bytes that are allocated before they are read. */
    private static final int MAX_LENGTH = 1 << 24;

    private transient String type = "";
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
        requireRecord(view);
        SerializedView serialized = new SerializedView();
        serialized.type = kind.type().getName();
        serialized.fingerprint = fingerprint(kind.views());
        serialized.mutable = view.millraceForm().mutable();
        serialized.bytes = kind.views().content(view);
        return serialized;
    }

    private static void requireRecord(BinaryView view) {
        ViewKind kind = view.millraceForm().kind();
        if (!kind.isRoot() || kind.views().schema() == null) {
            throw new UnsupportedOperationException("The view of " + kind.type().getName()
                    + " is of a part of a record, which can't be serialized. Serialize the view of the record.");
        }
    }

    /**
     * Returns the fingerprint of the schema of views.
     *
     * @throws IllegalArgumentException if these are views of the rows of a query
     */
    public static long fingerprint(RecordViews<?> views) {
        Schema schema = views.schema();
        if (schema == null) {
            throw new IllegalArgumentException("Views of rows can't be serialized. Use the views of a schema.");
        }
        return schema.fingerprint();
    }

    /**
     * Returns the classes of views.
     *
     * @throws IllegalArgumentException if the type is a record class, whose objects are no views
     */
    public static List<Class<?>> classes(RecordViews<?> views) {
        return views.classes();
    }

    /**
     * Writes a view without its type.
     *
     * @return whether the object is a view
     * @throws UnsupportedOperationException if the view is of a part of a record, or of the row of a query
     */
    public static boolean write(@Nullable Object object, DataOutput out) throws IOException {
        if (!(object instanceof BinaryView view)) {
            return false;
        }
        requireRecord(view);
        RecordViews<?> views = view.millraceForm().kind().views();
        write(fingerprint(views), view.millraceForm().mutable(), views.content(view), out);
        return true;
    }

    private static void write(long fingerprint, boolean mutable, byte[] bytes, DataOutput out) throws IOException {
        out.writeLong(fingerprint);
        out.writeBoolean(mutable);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads a view after the fingerprint of its schema. */
    public static Object read(RecordViews<?> views, DataInput in) throws IOException {
        boolean asMutable = in.readBoolean();
        return views.restore(bytes(in), asMutable);
    }

    private static byte[] bytes(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_LENGTH) {
            throw new InvalidObjectException("Invalid length of a record: " + length + ".");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeUTF(type);
        write(fingerprint, mutable, bytes, out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        type = in.readUTF();
        fingerprint = in.readLong();
        mutable = in.readBoolean();
        bytes = bytes(in);
    }

    private Object readResolve() throws InvalidObjectException {
        return KnownViews.require(type, fingerprint).restore(bytes, mutable);
    }
}
