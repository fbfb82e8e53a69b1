package io.millrace.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.millrace.codec.RawBytes;
import io.millrace.view.access.BinaryView;
import java.io.Serializable;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of classes that {@code millrace model sources --classes} and the Maven goal {@code generate} write. An
 * object reads and writes the bytes of a record, or of a part of one, in place. It behaves as a view of
 * {@link RecordViews} and equals one of the same content.
 *
 * <p>Immutable records are safe for use by many threads. A mutable record belongs to one thread, with its lists and
 * groups. Whole records are serializable.
 */
@API(status = API.Status.STABLE)
public abstract class BinaryRecord implements BinaryView, Serializable {

    private static final long serialVersionUID = 1;

    private final transient ViewForm form;
    private final transient byte[] bytes;
    private final transient int at;
    private final transient boolean mutable;
    private transient @Nullable Object state;

    /** Creates a record with what {@link RecordFactory} receives. */
    protected BinaryRecord(RecordForm form, byte[] bytes, int at, @Nullable Object state) {
        this.form = (ViewForm) form;
        this.bytes = bytes;
        this.at = at;
        this.mutable = this.form.mutable();
        this.state = state;
    }

    /**
     * Returns a member, for a constant of the generated class.
     *
     * @param <V> boxed type of the getter
     * @param part interface that has the getter
     * @param path path of the part, such as {@code legs[].payments[]}; empty for the record
     * @param name name of the member in the schema
     * @throws IllegalArgumentException if the interface has no getter for the member, or the record no part with the
     *     path
     */
    protected static <V> RecordMember<V> member(RecordViews<?> views, Class<?> part, String path, String name) {
        return FormMember.of(views.kinds().of(part, path), name);
    }

    /** Returns the byte at an offset from the start of the record. */
    protected final byte byteAt(int offset) {
        return bytes[at + offset];
    }

    /** Returns the two bytes at an offset from the start of the record, the most significant first. */
    protected final short shortAt(int offset) {
        return RawBytes.getShort(bytes, at + offset);
    }

    /** Returns the four bytes at an offset from the start of the record, the most significant first. */
    protected final int intAt(int offset) {
        return RawBytes.getInt(bytes, at + offset);
    }

    /** Returns the eight bytes at an offset from the start of the record, the most significant first. */
    protected final long longAt(int offset) {
        return RawBytes.getLong(bytes, at + offset);
    }

    /** Returns whether the schema allows all values. Jackson does not take it for a property. */
    @JsonIgnore
    public final boolean isValid() {
        return form.isValid(this);
    }

    /** Returns the values that the schema does not allow, and the conditions of the schema that are not met. */
    public final List<Violation> validate() {
        return form.validate(this);
    }

    /** Returns whether the other object is a view of the same type and schema with the same content. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return form.equal(this, other);
    }

    @Override
    public final int hashCode() {
        return form.hash(this);
    }

    /** Returns the name of the type and all values. */
    @Override
    public final String toString() {
        return form.text(this);
    }

    /** Returns the serialized form: the type, the fingerprint of the schema and the bytes. */
    protected final Object writeReplace() {
        return form.serialized(this);
    }

    final boolean mutable() {
        return mutable;
    }

    @Override
    @API(status = API.Status.INTERNAL)
    public final byte[] millraceBytes() {
        return bytes;
    }

    @Override
    @API(status = API.Status.INTERNAL)
    public final int millraceAt() {
        return at;
    }

    @Override
    @API(status = API.Status.INTERNAL)
    public final @Nullable Object millraceState() {
        return state;
    }

    @Override
    @API(status = API.Status.INTERNAL)
    public final void millraceState(Object newState) {
        state = newState;
    }

    @Override
    @API(status = API.Status.INTERNAL)
    public final ViewForm millraceForm() {
        return form;
    }

    @Override
    @API(status = API.Status.INTERNAL)
    public final BinaryView millraceNew(byte[] newBytes, int newAt, @Nullable Object newState) {
        return form.create(newBytes, newAt, newState);
    }
}
