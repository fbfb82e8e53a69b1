package io.millrace.view.list;

import io.millrace.view.KnownViews;
import io.millrace.view.SerializedView;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/**
 * A {@link RecordList} as Java serialization writes it.
 *
 * <pre>
 * name of the type | fingerprint (8) | length (8) | records, as in {@link RecordTransfer}
 * </pre>
 */
public final class SerializedList implements Externalizable {

    private static final long serialVersionUID = 1;

    private transient RecordList<?> list;

    /** Used by Java serialization. */
    @SuppressWarnings("NullAway.Init") // readExternal follows
    public SerializedList() {}

    private SerializedList(RecordList<?> list) {
        this.list = list;
    }

    static SerializedList of(RecordList<?> list) {
        return new SerializedList(list);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeUTF(list.views().type().getName());
        out.writeLong(SerializedView.fingerprint(list.views()));
        out.writeLong(list.bytes());
        RecordTransfer.write(list.records(), out::write);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        list = new RecordList<>(KnownViews.require(in.readUTF(), in.readLong()));
        RecordTransfer.read(list.records(), new LimitedSource(in::read, in.readLong()));
    }

    private Object readResolve() {
        return list;
    }

    RecordList<?> list() {
        return list;
    }
}
