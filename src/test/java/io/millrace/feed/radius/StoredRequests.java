package io.millrace.feed.radius;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;

/** The requests of a {@link RecordingClient} that a region holds, read by hand as docs/formats.md draws them. */
public final class StoredRequests {

    private static final int COUNT_AT = 32;
    private static final int ADDED_AT = 36;
    private static final int LENGTHS_AT = 72;

    private final BitSet numbers = new BitSet();
    private int records;

    private StoredRequests() {}

    /** Those of a region of entries. */
    public static StoredRequests ofEntries(Collection<?> values) {
        StoredRequests stored = new StoredRequests();
        values.forEach(value -> stored.add((byte[]) value, 0));
        return stored;
    }

    /** Those of a region of blocks. */
    public static StoredRequests ofBlocks(Collection<?> values) {
        StoredRequests stored = new StoredRequests();
        for (Object value : values) {
            ByteBuffer block = ByteBuffer.wrap((byte[]) value);
            int count = block.getInt(COUNT_AT);
            int at = LENGTHS_AT + (Short.BYTES + block.getShort(ADDED_AT)) * count;
            for (int i = 0; i < count; i++) {
                stored.add(block.array(), at);
                at += Short.toUnsignedInt(block.getShort(LENGTHS_AT + Short.BYTES * i));
            }
        }
        return stored;
    }

    private void add(byte[] octets, int at) {
        numbers.set(RecordingClient.number(octets, at));
        records++;
    }

    /** The numbers of the requests that are there. */
    public BitSet numbers() {
        return (BitSet) numbers.clone();
    }

    /** How many records there are; more than numbers, where a request is there twice. */
    public int records() {
        return records;
    }

    /** The numbers of the requests that are not there, of these. */
    public BitSet missing(BitSet wanted) {
        BitSet missing = (BitSet) wanted.clone();
        missing.andNot(numbers);
        return missing;
    }
}
