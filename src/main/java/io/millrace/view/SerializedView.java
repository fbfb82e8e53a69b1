package io.millrace.view;

import io.millrace.schema.Schema;
import io.millrace.view.access.BinaryView;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of views outside of memory: for Java serialization, and for other forms that contain no type. Stateless.
 */
public final class SerializedView {

    /** Maximum number of bytes that are allocated before they are read. */
    private static final int MAX_LENGTH = 1 << 24;

    private SerializedView() {}

    /**
     * Returns the form of a view that Java serialization writes.
     *
     * @throws UnsupportedOperationException if the view is of a part of a record, or of the row of a query
     */
    static Ser of(BinaryView view) {
        requireRecord(view);
        RecordViews<?> views = ViewForm.of(view).kind().views();
        boolean mutable = ViewForm.of(view).mutable();
        if (views.compact()) {
            byte[] bytes = views.content(view);
            return new Ser(views.typeId(), fingerprint(views), mutable, bytes, 0, bytes.length);
        }
        return new Ser(
                views.typeId(),
                fingerprint(views),
                mutable,
                view.millraceBytes(),
                view.millraceAt(),
                views.shape().scope().rowLength());
    }

    private static void requireRecord(BinaryView view) {
        ViewKind kind = ViewForm.of(view).kind();
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
        RecordViews<?> views = ViewForm.of(view).kind().views();
        write(fingerprint(views), ViewForm.of(view).mutable(), views.content(view), out);
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
        byte[] bytes = new byte[requireLength(in.readInt())];
        in.readFully(bytes);
        return bytes;
    }

    /** Returns the length of a record, if it is valid. */
    static int requireLength(int length) throws InvalidObjectException {
        if (length < 0 || length > MAX_LENGTH) {
            throw new InvalidObjectException("Invalid length of a record: " + length + ".");
        }
        return length;
    }
}
