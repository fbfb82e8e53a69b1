package io.millrace.view.list;

import io.millrace.view.KnownViews;
import io.millrace.view.SerializedView;
import java.io.EOFException;
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
        RecordTransfer.read(list.records(), new Part(in, in.readLong()));
    }

    private Object readResolve() {
        return list;
    }

    RecordList<?> list() {
        return list;
    }

    /** The next bytes of an input, which can have others behind them. */
    private static final class Part implements RecordTransfer.Source {

        private final ObjectInput in;
        private long left;

        Part(ObjectInput in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            if (left <= 0) {
                return -1;
            }
            int read = in.read(bytes, start, (int) Math.min(length, left));
            if (read < 0) {
                throw new EOFException("Incomplete list: " + left + " bytes are missing. Serialize it again.");
            }
            left -= read;
            return read;
        }
    }
}
