package io.millrace.view.list;

import io.millrace.view.RecordViews;
import io.millrace.view.SerializedView;
import io.millrace.view.access.BinaryView;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A list that holds the bytes of records, and creates a view when an element is read. A record takes the bytes of its
 * layout in memory, and no object: an {@code ArrayList} of views takes a view and an array for each.
 *
 * <p>{@link #add} copies the content of an object: a view, or any other object of the type. Elements are immutable.
 * They can't be replaced or removed one by one: {@code set}, {@code sort} and {@code remove} throw
 * {@link UnsupportedOperationException}. To sort, use a stream or a copy of the list. {@link #clear} removes all
 * elements; views that were read before stay valid.
 *
 * <p>{@link #get} allocates a view, or an object of a record class; in the compact layout also a copy of the record.
 * Each call returns another object: compare elements with {@code equals}, not with {@code ==}. A view of the fixed
 * layout reads the memory of the list, and so retains up to 64 KiB of it, or the record if that is longer.
 *
 * <p>The list is serializable, with the bytes of its records back to back. As with single views, create the
 * {@link RecordViews} before you read it.
 *
 * <p>Not thread-safe while elements are added. A list that no longer changes can be read by many threads, once it was
 * passed to them safely.
 *
 * @param <T> type of the views
 */
@API(status = API.Status.STABLE)
public final class RecordList<T> extends AbstractList<T> implements RandomAccess, Serializable {

    private static final long serialVersionUID = 1;

    private final transient RecordViews<T> views;

    /** Creates the views; null if these are Java records. */
    private final transient @Nullable BinaryView prototype;

    private transient ChunkedRecords records;

    /**
     * Creates an empty list.
     *
     * @throws IllegalArgumentException if these are views of rows
     */
    public RecordList(RecordViews<T> views) {
        this.views = views;
        this.records = ChunkedRecords.of(views);
        this.prototype = views.prototype();
    }

    @Override
    public int size() {
        return records.count();
    }

    /** Returns a new view of a record. */
    @Override
    public T get(int index) {
        Objects.checkIndex(index, records.count());
        return view(records.array(index), records.start(index), records.length(index));
    }

    /** Returns a new view of a record. */
    @SuppressWarnings("unchecked") // the class of the prototype is that of all views
    T view(byte[] bytes, int start, int length) {
        if (prototype == null) {
            return views.of(Arrays.copyOfRange(bytes, start, start + length));
        }
        return records.varying()
                ? (T) prototype.millraceNew(Arrays.copyOfRange(bytes, start, start + length), 0, null)
                : (T) prototype.millraceNew(bytes, start, null);
    }

    /**
     * Adds a copy of an object.
     *
     * @throws io.millrace.codec.FieldValueException if a field can't hold a value of the object
     */
    @Override
    public boolean add(T object) {
        byte[] content = views.content(object);
        records.add(content, 0, content.length);
        modCount++;
        return true;
    }

    /** Removes all records and the memory that they take. */
    @Override
    public void clear() {
        records = ChunkedRecords.of(views);
        modCount++;
    }

    /**
     * Returns the number of bytes that {@link #writeRecordsTo} writes: those of the records and, in the compact layout,
     * four for each.
     */
    public long bytes() {
        return RecordTransfer.bytes(records);
    }

    /**
     * Writes the fingerprint of the schema, then the bytes of all records. Several lists can follow each other.
     *
     * @param channel a channel in blocking mode
     * @throws IOException if the channel fails. It may have received a part of the list
     */
    public void writeTo(WritableByteChannel channel) throws IOException {
        write(channel, ByteBuffer.wrap(ListStream.header(SerializedView.fingerprint(views), bytes())));
        writeRecordsTo(channel);
    }

    /**
     * Writes the bytes of all records and nothing else, in the format that the feed {@code file} reads: records of the
     * fixed layout back to back, compact ones with their length before each, in 4 bytes, big-endian. What reads them
     * can't detect that its schema is another one.
     *
     * @param channel a channel in blocking mode
     * @throws IOException if the channel fails. It may have received some of the records
     */
    public void writeRecordsTo(WritableByteChannel channel) throws IOException {
        RecordTransfer.write(records, (bytes, start, length) -> write(channel, ByteBuffer.wrap(bytes, start, length)));
    }

    private static void write(WritableByteChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /**
     * Adds the records of all lists that {@link #writeTo} has written to a channel, until its end. Values are not
     * checked, as with {@link RecordViews#of(byte[])}: getters and {@link RecordViews#validate} report invalid bytes.
     *
     * @param channel a channel in blocking mode
     * @throws IOException if the channel fails, if it ends within a list or before one, if the records were written
     *     with another schema, or if a length is invalid. This list then has the records before
     */
    public void readFrom(ReadableByteChannel channel) throws IOException {
        modCount++;
        new ListStream(channel).read(records, SerializedView.fingerprint(views));
    }

    /**
     * Adds the records of a channel until its end, in the format of {@link #writeRecordsTo}. Records of another schema
     * are read as if they were of this one. Values are not checked.
     *
     * @param channel a channel in blocking mode
     * @throws IOException if the channel fails, if it ends within a record, or if a length is invalid. The list then
     *     has the records before
     */
    public void readRecordsFrom(ReadableByteChannel channel) throws IOException {
        modCount++;
        RecordTransfer.read(records, (bytes, start, length) -> channel.read(ByteBuffer.wrap(bytes, start, length)));
    }

    @Override
    public Spliterator<T> spliterator() {
        return new RecordSpliterator<>(this);
    }

    /** Returns how often records were added or removed. */
    int modifications() {
        return modCount;
    }

    RecordViews<T> views() {
        return views;
    }

    ChunkedRecords records() {
        return records;
    }

    private Object writeReplace() {
        return SerializedList.of(this);
    }
}
