package io.millrace.feed.radius;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * The requests that a region holds, those of a {@link RecordingClient} by number, read by hand as
 * docs/reference/formats.md draws them.
 */
public final class StoredRequests {

    private static final int COUNT_AT = 32;
    private static final int ADDED_AT = 36;
    private static final int FLAGS_AT = 39;
    private static final int LENGTHS_AT = 88;

    private final BitSet numbers = new BitSet();
    private int records;

    private StoredRequests() {}

    /** Those of a region of entries. */
    public static StoredRequests ofEntries(Collection<?> values) {
        StoredRequests stored = new StoredRequests();
        values.forEach(value -> stored.add((byte[]) value));
        return stored;
    }

    /** Those of a region of blocks. */
    public static StoredRequests ofBlocks(Collection<?> values) {
        StoredRequests stored = new StoredRequests();
        values.forEach(value -> ofBlock((byte[]) value).forEach(stored::add));
        return stored;
    }

    /** The octets of each request in a block. */
    public static List<byte[]> ofBlock(byte[] value) {
        ByteBuffer block = ByteBuffer.wrap(value);
        int count = block.getInt(COUNT_AT);
        int width = new int[] {2, 1, 4}[value[FLAGS_AT] >> 2];
        int at = LENGTHS_AT + (width + block.getShort(ADDED_AT)) * count;
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int end = at
                    + (width == 1
                            ? Byte.toUnsignedInt(value[LENGTHS_AT + i])
                            : Short.toUnsignedInt(block.getShort(LENGTHS_AT + Short.BYTES * i)));
            requests.add(Arrays.copyOfRange(value, at, end));
            at = end;
        }
        return requests;
    }

    private void add(byte[] octets) {
        numbers.set(RecordingClient.number(octets));
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
